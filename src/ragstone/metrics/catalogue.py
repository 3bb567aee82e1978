"""The catalogue: every metric by name, loaded when first asked for.

A plain table, so that what exists does not depend on what was imported. Other packages add metrics
through the entry-point group `ragstone.metrics`, and users through the folders of RAGSTONE_METRICS.
"""

from __future__ import annotations

import difflib
import importlib
import re
import warnings
from collections.abc import Mapping
from dataclasses import fields
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any, get_type_hints

import pydantic_core
from pydantic import TypeAdapter, ValidationError

from ragstone.errors import UnknownMetric, UsageError
from ragstone.metrics.base import Metric, snake_case
from ragstone.metrics.folders import class_in, metric_files
from ragstone.prompt.prompt import Prompt
from ragstone.settings import Settings

__all__ = [
    "ALIASES",
    "CLASSES",
    "NAMES",
    "build",
    "from_spec",
    "load_class",
    "make",
    "metric_class",
    "names",
    "split_commas",
]

_ROOM = "ragstone.metrics"
_PART = re.compile(r'(?:(?<==)"(?:\\.|[^"\\])*"|(?<==)\[[^\]]*\]|[^,])+')

CLASSES: Mapping[str, str] = {
    "AgentGoalAccuracyWithoutReference": "agent.agent_goal_accuracy_without_reference",
    "AgentGoalAccuracyWithReference": "agent.agent_goal_accuracy_with_reference",
    "AnswerAccuracy": "answer.answer_accuracy",
    "AnswerCorrectness": "answer.answer_correctness",
    "AnswerRelevancy": "rag.answer_relevancy",
    "AspectCritic": "rubric.aspect_critic",
    "BleuScore": "text.bleu_score",
    "CHRFScore": "text.chrf_score",
    "CitationAccuracy": "rag.citation_accuracy",
    "ContextEntityRecall": "rag.context_entity_recall",
    "ContextPrecision": "rag.context_precision",
    "ContextRecall": "rag.context_recall",
    "ContextRelevance": "rag.context_relevance",
    "ContextUtilization": "rag.context_utilization",
    "ConversationCompleteness": "agent.conversation_completeness",
    "DataCompyScore": "sql.data_compy_score",
    "Diagnosis": "rag.diagnosis",
    "DiscreteMetric": "rubric.discrete",
    "DomainSpecificRubrics": "rubric.domain_specific_rubrics",
    "ExactMatch": "text.exact_match",
    "ExecutionAccuracy": "sql.execution_accuracy",
    "FactualCorrectness": "answer.factual_correctness",
    "Faithfulness": "rag.faithfulness",
    "FaithfulnessWithHHEM": "rag.faithfulness_with_hhem",
    "HallucinatedEntities": "chat.hallucinated_entities",
    "HitAtK": "retrieval.hit_at_k",
    "IDBasedContextPrecision": "rag.id_based_context_precision",
    "IDBasedContextRecall": "rag.id_based_context_recall",
    "InstanceSpecificRubrics": "rubric.instance_specific_rubrics",
    "JSONValidity": "text.json_validity",
    "KnowledgeRetention": "agent.knowledge_retention",
    "MAP": "retrieval.map",
    "MRR": "retrieval.mrr",
    "MultiModalFaithfulness": "multimodal.multi_modal_faithfulness",
    "MultiModalRelevance": "multimodal.multi_modal_relevance",
    "NDCG": "retrieval.ndcg",
    "NoiseSensitivity": "rag.noise_sensitivity",
    "NonLLMContextPrecisionWithReference": "rag.non_llm_context_precision_with_reference",
    "NonLLMContextRecall": "rag.non_llm_context_recall",
    "NonLLMStringSimilarity": "text.non_llm_string_similarity",
    "NumericMetric": "rubric.numeric",
    "PrecisionAtK": "retrieval.precision_at_k",
    "PromptInjectionInContext": "safety.prompt_injection_in_context",
    "QueryContextAgreement": "chat.query_context_agreement",
    "QueryResponseAgreement": "chat.query_response_agreement",
    "QuotedSpansAlignment": "rag.quoted_spans_alignment",
    "RankingMetric": "rubric.ranking",
    "RecallAtK": "retrieval.recall_at_k",
    "Refusal": "safety.refusal",
    "ResponseContextAgreement": "chat.response_context_agreement",
    "ResponseGroundedness": "rag.response_groundedness",
    "RoleAdherence": "agent.role_adherence",
    "RougeScore": "text.rouge_score",
    "RubricsScoreWithoutReference": "rubric.rubrics_score_without_reference",
    "RubricsScoreWithReference": "rubric.rubrics_score_with_reference",
    "SemanticSimilarity": "answer.semantic_similarity",
    "SimpleCriteria": "rubric.simple_criteria",
    "SQLSemanticEquivalence": "sql.sql_semantic_equivalence",
    "StringPresence": "text.string_presence",
    "ToolCallAccuracy": "agent.tool_call_accuracy",
    "ToolCallF1": "agent.tool_call_f1",
    "TopicAdherence": "agent.topic_adherence",
    "Toxicity": "safety.toxicity",
}
"""Class name -> module below ragstone.metrics."""

NAMES: Mapping[str, str] = {snake_case(name): name for name in CLASSES}
"""Registered name -> class name."""

ALIASES: Mapping[str, str] = {
    "AgentGoalAccuracy": "AgentGoalAccuracyWithReference",
    "ChrfScore": "CHRFScore",
    "ContextPrecisionWithoutReference": "ContextUtilization",
    "ContextPrecisionWithReference": "ContextPrecision",
    "FaithfulnesswithHHEM": "FaithfulnessWithHHEM",
    "InstanceRubrics": "InstanceSpecificRubrics",
    "LLMContextPrecisionWithoutReference": "ContextUtilization",
    "LLMContextPrecisionWithReference": "ContextPrecision",
    "LLMContextRecall": "ContextRecall",
    "LLMSQLEquivalence": "SQLSemanticEquivalence",
    "NumericalMetric": "NumericMetric",
    "ResponseRelevancy": "AnswerRelevancy",
    "RubricsScore": "DomainSpecificRubrics",
    "SimpleCriteriaScore": "SimpleCriteria",
    "TopicAdherenceScore": "TopicAdherence",
}
"""Older documented class name -> current class name."""


def names() -> list[str]:
    """The registered names of all metrics, those of other packages and own folders included."""
    return sorted({*NAMES, *_plugins(), *_own_files()})


def load_class(class_name: str) -> type[Metric]:
    """The class of that name; an older documented name works and warns with the new one."""
    if class_name in ALIASES:
        new = ALIASES[class_name]
        warnings.warn(f"{class_name} is now called {new}", DeprecationWarning, stacklevel=3)
        class_name = new
    module = importlib.import_module(f"{_ROOM}.{CLASSES[class_name]}")
    found: type[Metric] = getattr(module, class_name)
    return found


def metric_class(name: str) -> type[Metric]:
    """The class with that registered name; raises UnknownMetric with the nearest names."""
    if name in NAMES:
        return load_class(NAMES[name])
    plugins = _plugins()
    if name in plugins:
        return _loaded(plugins[name])
    own = _own_files()
    if name in own:
        return class_in(own[name])
    near = difflib.get_close_matches(name, names(), n=3, cutoff=0.5)
    hint = f"; did you mean {' or '.join(map(repr, near))}?" if near else "."
    raise UnknownMetric(f"no metric is called {name!r}{hint} `ragstone metrics` lists all.")


def from_spec(spec: Mapping[str, Mapping[str, Any]], *, defined_in: str = "") -> Metric:
    """A metric from its spec, such as {"factual_correctness": {"mode": "recall"}}.

    `defined_in`, if known, is the class that it must be, as `MetricInfo` keeps it. Raises
    UsageError when the name means another class, or a parameter is unknown or of another type.
    """
    if len(spec) != 1:
        raise UsageError(f"a metric spec has one name, not {sorted(spec)}")
    ((name, parameters),) = spec.items()
    if not isinstance(parameters, Mapping):
        raise UsageError(f"{name!r}: parameters are a mapping, not {parameters!r}")
    cls = metric_class(name)
    if defined_in not in ("", cls.defined_in()):
        raise UsageError(
            f"the metric {name!r} was the class {defined_in!r}, but that name means "
            f"{cls.defined_in()!r} here."
        )
    return make(cls, name, parameters)


def make(cls: type[Metric], name: str, parameters: Mapping[str, Any]) -> Metric:
    """A metric of a class with these parameters, as they stand in a spec; raises UsageError."""
    known = {f.name: f.default for f in fields(cls) if f.compare}
    kinds = get_type_hints(cls, include_extras=True)
    for parameter in parameters:
        if parameter not in known:
            own = ", ".join(sorted(k for k, v in known.items() if not isinstance(v, Prompt)))
            raise UsageError(f"{name!r} has no parameter {parameter!r}; it has: {own}")
        if isinstance(known[parameter], Prompt):
            raise UsageError(f"{name!r}: the prompt {parameter!r} cannot be rebuilt from a spec")
    return cls(**{key: _typed(name, key, kinds[key], given) for key, given in parameters.items()})


def _typed(metric: str, parameter: str, kind: Any, given: Any) -> Any:
    try:
        return TypeAdapter(kind).validate_python(given)
    except ValidationError as error:
        why = "; ".join(detail["msg"] for detail in error.errors())
        raise UsageError(f"{metric!r}: {parameter!r} cannot be {given!r} ({why})") from None


def build(text: str) -> Metric:
    """A metric from text: "faithfulness", or "factual_correctness:mode=recall,beta=2".

    A value in double quotes may hold commas; a list is written as yes|no.
    """
    name, _, rest = text.strip().partition(":")
    parameters: dict[str, Any] = {}
    for part in split_commas(rest):
        key, equals, value = part.partition("=")
        if not equals:
            raise UsageError(f"{text!r}: write parameters as name=value, not {part!r}")
        parameters[key.strip()] = _value(value.strip())
    kinds = get_type_hints(metric_class(name.strip()), include_extras=True)
    listed = {key: _listed(kinds.get(key), value) for key, value in parameters.items()}
    return from_spec({name.strip(): listed})


def split_commas(text: str) -> list[str]:
    """The parts between commas, without blanks around them; not split in ="..." and =[...]."""
    return [part.strip() for part in _PART.findall(text) if part.strip()]


def _value(text: str) -> Any:
    try:
        return pydantic_core.from_json(text)
    except ValueError:
        return text


def _listed(kind: Any, value: Any) -> Any:
    """The parts of "yes|no" where a list is wanted; any other value as it is."""
    if not isinstance(value, str) or "|" not in value or kind is None:
        return value
    try:
        TypeAdapter(kind).validate_python(value)
    except ValidationError:
        return [_value(part.strip()) for part in value.split("|")]
    return value


def _loaded(point: EntryPoint) -> type[Metric]:
    """The class of another package; raises UsageError naming the package when there is none."""
    whose = f"the metric {point.name!r} of the package {point.dist.name if point.dist else '?'!r}"
    try:
        found = point.load()
    except (ImportError, AttributeError) as error:
        raise UsageError(f"{whose} cannot be loaded: {error}") from error
    if not (isinstance(found, type) and issubclass(found, Metric)):
        raise UsageError(f"{whose} is no Metric class: {found!r}")
    return found


def _own_files() -> Mapping[str, Path]:
    return metric_files(Settings.from_env().metric_folders)


def _plugins() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group="ragstone.metrics")}
