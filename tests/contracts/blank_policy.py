"""What each metric makes of each blank field."""

POLICY: dict[tuple[str, str], str | float | None] = {
    ("answer_relevancy", "response"): 0.0,
    ("answer_relevancy", "user_input"): "no_question",
    ("aspect_critic", "response"): None,
    ("aspect_critic", "user_input"): None,
    ("context_precision", "reference"): "no_reference",
    ("context_precision", "retrieved_contexts"): "no_context",
    ("context_precision", "user_input"): "no_question",
    ("context_recall", "reference"): "no_claims",
    ("context_recall", "retrieved_contexts"): "no_context",
    ("context_recall", "user_input"): None,
    ("context_utilization", "response"): "refusal",
    ("context_utilization", "retrieved_contexts"): "no_context",
    ("context_utilization", "user_input"): "no_question",
    ("discrete_metric", "response"): None,
    ("discrete_metric", "user_input"): None,
    ("exact_match", "reference"): 0.0,
    ("exact_match", "response"): 0.0,
    ("factual_correctness", "reference"): "no_claims",
    ("factual_correctness", "response"): "refusal",
    ("factual_correctness", "user_input"): None,
    ("faithfulness", "response"): "refusal",
    ("faithfulness", "retrieved_contexts"): "no_context",
    ("faithfulness", "user_input"): None,
    ("semantic_similarity", "reference"): "no_reference",
    ("semantic_similarity", "response"): "refusal",
    ("string_presence", "reference"): "no_reference",
    ("string_presence", "response"): 0.0,
    ("tool_call_f1", "reference_tool_calls"): 0.0,
}
"""What a blank field makes of a sample that is whole otherwise: a code of unscored, a value, or
None when the field only helps, and the sample is judged without it."""
