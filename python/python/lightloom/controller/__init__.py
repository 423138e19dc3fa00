"""The controller: group members and relay rules of a fabric of OpenFlow 1.3 switches.

``python -m lightloom.controller`` runs it (``docs/controller.md``). It needs os-ken, which
``pip install "./python[controller]"`` installs. Only ``wire`` and ``connection`` import it.

==============  =================================================================
``entries``     flows and groups as values
``text``        their text form: read strictly, written the same way
``files``       files that are read whole, with a limit
``folder``      a folder of configurations
``members``     groups of servers, and the entries that they need
``rollout``     folders of rollouts, and what their phases lead to
``store``       the state file
``frames``      what a switch may send: types and lengths, before anything else reads it
``wire``        entries as messages of OpenFlow 1.3, and back
``reading``     a switch's answer about its tables, part by part
``connection``  the connection of one switch
``switch``      one ToR: what it must have, what it has
``fleet``       all switches: connections, drift
``control``     changes of members
``runner``      rollouts, phase by phase
``api``         what the HTTP API answers
``server``      its connections: heads, bodies, limits
==============  =================================================================
"""
