"""Pictures of fabrics, trees and results as SVG and HTML, in pure Python.

A picture takes an opened design and plain values. What it shows of a tree is in
:class:`lightloom._broken.Multicast`, so pictures need no class that shows itself with them.
"""
