"""What happens to files on disks."""

from chorda import files


def flipped(path, part):
    """Change one bit, at this part of the file."""
    raw = bytearray(path.read_bytes())
    raw[int(part * len(raw))] ^= 1
    path.write_bytes(raw)


def without_checksum(path):
    """As files were before they had one."""
    content, mark, _ = path.read_bytes().rpartition(files.MARK)
    assert mark
    path.write_bytes(content)
