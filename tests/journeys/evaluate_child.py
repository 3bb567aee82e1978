"""A process that evaluates faithfulness with a loopback judge, to be killed: arguments as JSON."""

import json
import sys

from ragstone import evaluate, llm_factory
from ragstone.metrics import Faithfulness

given = json.loads(sys.argv[1])
judge = llm_factory("test-model", base_url=given["url"], api_key="k")
result = evaluate(
    given["data"],
    [Faithfulness()],
    judge,
    store=given["store"],
    resume=given["resume"],
    name="kill",
    show_progress=False,
)
print(result)
