"""``submission_metadata.yml``, read as a stream of events.

The file also holds every test output and the whole history, often a hundred
times what is wanted. Building all of it costs minutes and gigabytes; here only
the wanted keys become objects, and no tag of the file makes an object at all.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import yaml

_WANTED = ("submitters", "created_at")
_MOST_DEPTH = 200
_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_START = (yaml.MappingStartEvent, yaml.SequenceStartEvent)
_END = (yaml.MappingEndEvent, yaml.SequenceEndEvent)


class MetadataError(ValueError):
    """The file is not the YAML that is expected.

    Owner: the download. Seen by: the TA, as a warning. Points: untouched.
    """


def read_metadata(data: bytes) -> dict[str, dict[str, Any] | None]:
    """``submission_<id>`` -> its submitters and time, None when the entry is null.

    Raises:
        MetadataError: it is no YAML mapping.
    """
    try:
        events = _Events(yaml.parse(data.decode("utf-8", "replace"), Loader=_Loader))
        while not isinstance(events.head, (yaml.MappingStartEvent, type(None))):
            if isinstance(events.head, (yaml.ScalarEvent, yaml.SequenceStartEvent)):
                break
            events.take()
        if not isinstance(events.head, yaml.MappingStartEvent):
            raise MetadataError("it is no list of submissions")
        return dict(_pairs(events, _submission))
    except (yaml.YAMLError, RecursionError) as e:
        raise MetadataError(f"it is not YAML: {str(e).splitlines()[0]}") from e


class _Events:
    """Parse events with one of look-ahead."""

    def __init__(self, events: Iterator[yaml.Event]) -> None:
        self._events = events
        self.head: yaml.Event | None = next(events, None)
        self.depth = 0

    def take(self) -> yaml.Event:
        event = self.head
        if event is None:
            raise MetadataError("it ends too early")
        self.depth += isinstance(event, _START) - isinstance(event, _END)
        if self.depth > _MOST_DEPTH:
            raise MetadataError("it is nested too deeply")
        self.head = next(self._events, None)
        return event


def _pairs(events: _Events, value: Any) -> Iterator[tuple[str, Any]]:
    """Keys without Ruby's leading colon, with what ``value(events, key)`` makes."""
    events.take()
    while not isinstance(events.head, yaml.MappingEndEvent):
        key = _any(events)
        name = str(key).lstrip(":") if isinstance(key, str) else ""
        yield name, value(events, name)
    events.take()


def _submission(events: _Events, name: str) -> dict[str, Any] | None:
    if not isinstance(events.head, yaml.MappingStartEvent):
        _skip(events)
        return None
    return {k: v for k, v in _pairs(events, _wanted) if k in _WANTED}


def _wanted(events: _Events, key: str) -> Any:
    return _any(events) if key in _WANTED else _skip(events)


def _any(events: _Events) -> Any:
    """Scalars as text, lists and mappings of them; aliases are not followed."""
    if isinstance(events.head, yaml.MappingStartEvent):
        return dict(_pairs(events, lambda inner, key: _any(inner)))
    event = events.take()
    if isinstance(event, yaml.ScalarEvent):
        plain = event.implicit[0]
        return None if plain and event.value in ("", "~", "null") else event.value
    if isinstance(event, yaml.SequenceStartEvent):
        items = []
        while not isinstance(events.head, yaml.SequenceEndEvent):
            items.append(_any(events))
        events.take()
        return items
    return None


def _skip(events: _Events) -> None:
    goal = events.depth
    events.take()
    while events.depth > goal:
        events.take()
