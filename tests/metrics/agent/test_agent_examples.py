"""The worked examples of the agent metrics' documentation, with scripted judges."""

import pytest

from ragstone.metrics import ToolCallAccuracy
from ragstone.schema.messages import ToolCall
from scripted import call, dialogue

NEW_YORK, FAHRENHEIT = (
    call("weather_check", location="New York"),
    call("temperature_conversion", temperature_fahrenheit=75),
)
LONDON, PARIS = call("weather_check", location="London"), call("weather_check", location="Paris")
SEARCH, FILTER = call("search", query="python", limit=10, sort="date"), call("filter", by="date")
NEWEST = call("search", query="python", limit=10, sort="relevance")
COPPER = call("get_metal_price", metal_name="copper")
TRACK = [
    call("transfer_to_tracker_agent"),
    call("track_order", order_id="3000"),
    call("case_resolved"),
]
RETURN = [
    call(name)
    for name in (
        "transfer_to_return_agent",
        "valid_to_return",
        "initiate_return",
        "case_resolved",
    )
]
LETTER = call("send_message", to="jhon", content="Hi Jhon,\n\nI hope this finds you well. 🙂")


@pytest.mark.parametrize(
    ("made", "expected", "strict", "value"),
    [
        pytest.param([NEW_YORK, FAHRENHEIT], [NEW_YORK, FAHRENHEIT], True, 1.0, id="A16"),
        pytest.param([LONDON, PARIS], [PARIS, LONDON], False, 1.0, id="A17 in any order"),
        pytest.param([NEWEST], [SEARCH], True, 2 / 3, id="A18 one wrong argument"),
        pytest.param([FILTER, SEARCH], [SEARCH, FILTER], True, 0.0, id="A19 in another order"),
        pytest.param([COPPER], [COPPER], True, 1.0, id="A26"),
        pytest.param(TRACK, TRACK, True, 1.0, id="A27 track"),
        pytest.param(RETURN, RETURN, True, 1.0, id="A27 return"),
        pytest.param([LETTER], [LETTER], True, 1.0, id="A28"),
    ],
)
def test_a16_to_a28_tool_call_accuracy(
    made: list[ToolCall], expected: list[ToolCall], strict: bool, value: float
) -> None:
    result = ToolCallAccuracy(strict_order=strict).score(
        user_input=dialogue(*made).user_input, reference_tool_calls=expected
    )
    assert result.value == pytest.approx(value, abs=1e-12)
