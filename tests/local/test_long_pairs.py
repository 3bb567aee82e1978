import numpy as np
import pytest

from ragstone.local.crossencoder import cross_encoder

LONG = "The archive holds letters, maps and drawings of the harbor. " * 200


@pytest.mark.parametrize("name", ["groundedness", "relevance"])
@pytest.mark.parametrize(("first", "second"), [("A bridge.", LONG), (LONG, LONG), (LONG, "It is.")])
def test_texts_of_any_length_are_read(name: str, first: str, second: str) -> None:
    assert np.isfinite(cross_encoder(name).scores([(first, second)])).all()
