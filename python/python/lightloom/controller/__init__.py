"""The controller: group members and relay rules of a fabric of OpenFlow 1.3 switches.

``python -m lightloom.controller`` runs it (``docs/controller.md``). It needs os-ken, which
``pip install "./python[controller]"`` installs. Only ``wire`` and ``connection`` import it.

==============  =================================================================
``entries``     flows and groups as values
``text``        their text form: read strictly, written the same way
``folder``      a folder of configurations
``members``     groups of servers, and the entries that they need
``rollout``     folders of rollouts, and what their phases lead to
``store``       the state file
``wire``        entries as messages of OpenFlow 1.3, and back
``connection``  the connection of one switch
``switch``      one ToR: what it must have, what it has
``fleet``       all switches: connections, drift
``control``     changes of members
``runner``      rollouts, phase by phase
``api``         the HTTP API
==============  =================================================================
"""
