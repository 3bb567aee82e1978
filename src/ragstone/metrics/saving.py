"""A metric in a JSON file: its class by name, its parameters, and prompts of its own."""

from __future__ import annotations

import os
from dataclasses import fields
from pathlib import Path
from typing import Any, TypeVar

from ragstone.errors import UsageError
from ragstone.metrics import catalogue
from ragstone.metrics.base import Metric
from ragstone.prompt.files import json_path, read_json, write_json
from ragstone.prompt.prompt import Prompt
from ragstone.prompt.saved import from_data, to_data

__all__ = ["load_metric", "save_metric"]

FORMAT = "1.0"
M = TypeVar("M", bound=Metric)


def save_metric(metric: Metric, path: str | os.PathLike[str] | None) -> Path:
    """Write the metric, in the place of an older file; see `Metric.save`."""
    file = json_path(path, metric.name)
    changed = metric.spec.to_dict()[metric.registered_name()]
    replaced = {
        field.name: to_data(getattr(metric, field.name))
        for field in fields(metric)
        if isinstance(field.default, Prompt) and getattr(metric, field.name) != field.default
    }
    data = {
        "format_version": FORMAT,
        "metric_type": type(metric).__name__,
        "metric": metric.registered_name(),
        "defined_in": metric.defined_in(),
        "name": metric.name,
        "config": {key: value for key, value in changed.items() if key not in replaced},
        "prompts": replaced,
    }
    try:
        write_json(file, data, overwrite=True)
    except UsageError as error:
        raise UsageError(f"{metric.name!r} {error}") from error
    return file


def load_metric(cls: type[M], path: str | os.PathLike[str]) -> M:
    """Read a metric of that class, or of one below it; see `Metric.load`."""
    data, source = read_json(path), repr(str(path))
    version = data.get("format_version")
    if version != FORMAT or not isinstance(data.get("metric"), str):
        raise UsageError(
            f"{source} holds no metric of the format {FORMAT!r}, but format {version!r}"
        )
    found = _class(cls, data, source)
    made = catalogue.make(found, data["metric"], data.get("config") or {})
    prompts = data.get("prompts") or {}
    for name, prompt in prompts.items():
        usual = made.get_prompts().get(name)
        if usual is None:
            raise UsageError(f"{source}: {data['metric']!r} has no prompt {name!r}")
        made.set_prompts(**{name: from_data(prompt, usual, source)})
    if not isinstance(made, cls):
        raise UsageError(f"{source} holds a {type(made).__name__}, not a {cls.__name__}")
    return made


def _class(cls: type[Metric], data: dict[str, Any], source: str) -> type[Metric]:
    """The class that wrote the file: the one that is asked, or that of its name."""
    wrote = data.get("defined_in")
    if wrote == cls.defined_in():
        return cls
    found = catalogue.metric_class(data["metric"])
    if wrote != found.defined_in():
        raise UsageError(
            f"{source} was written by the class {wrote!r}, but {data['metric']!r} means "
            f"{found.defined_in()!r} here; load it with that class"
        )
    return found
