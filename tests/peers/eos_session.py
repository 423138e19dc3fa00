"""A configuration of Arista EOS as lines in blocks, and what a session's lines make of it.

It knows `no` and `default` as the EOS manual says: they remove a block or a line. It uses no code of the planner.
"""


def blocks(text):
    """The lines of each block, by the path of its headers."""
    path, depth_of = [], []
    for line in text.splitlines():
        words = line.strip()
        if not words or words.startswith("!"):
            continue
        depth = len(line) - len(line.lstrip(" "))
        while depth_of and depth_of[-1] >= depth:
            path.pop(), depth_of.pop()
        yield tuple(path), words
        path.append(words)
        depth_of.append(depth)


BLOCKS = ("interface ", "vlan ", "mac access-list ", "ip access-list ", "directflow", "flow ")
LISTS = ("no vlan ", "no mac access-list ", "no ip access-list ")


class Session:
    """The state of a switch."""

    def __init__(self):
        self.state = {}

    def block(self, path):
        at = self.state
        for header in path:
            at = at[header]
        return at

    def load(self, text):
        for path, words in blocks(text):
            at = self.block(path)
            is_top = not path
            if words.startswith("no flow "):
                # A flow that is not there is an error of ours.
                del at[words.removeprefix("no ")]
            elif words.startswith("default interface "):
                del at[words.removeprefix("default ")]
            elif is_top and words.startswith(LISTS):
                del at[words.removeprefix("no ")]
            elif words.startswith(BLOCKS):
                at.setdefault(words, {})
            else:
                self.say(at, words)

    def say(self, at, words):
        if words in ("shutdown", "no shutdown"):
            at["shutdown"] = words
            return
        start = words.split(" ")[0]
        group = words.removeprefix("no ").split(" ")
        if group[1:2] == ["access-group"]:
            # A port has one list of a kind and direction.
            which = f"{group[0]} {group[1]} {group[3]}"
            at.pop(which, None)
            if start != "no":
                at[which] = words
            return
        if start in ("name", "priority", "description"):
            at[start] = words
            return
        opposite = words.removeprefix("no ") if words.startswith("no ") else f"no {words}"
        at.pop(opposite, None)
        at[words] = words
