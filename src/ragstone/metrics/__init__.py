"""All metrics by class name, loaded when first used."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ragstone.metrics._similarity import DistanceMeasure as DistanceMeasure
    from ragstone.metrics.agent.agent_goal_accuracy_with_reference import (
        AgentGoalAccuracyWithReference as AgentGoalAccuracyWithReference,
    )
    from ragstone.metrics.agent.agent_goal_accuracy_without_reference import (
        AgentGoalAccuracyWithoutReference as AgentGoalAccuracyWithoutReference,
    )
    from ragstone.metrics.agent.conversation_completeness import (
        ConversationCompleteness as ConversationCompleteness,
    )
    from ragstone.metrics.agent.knowledge_retention import (
        KnowledgeRetention as KnowledgeRetention,
    )
    from ragstone.metrics.agent.role_adherence import (
        RoleAdherence as RoleAdherence,
    )
    from ragstone.metrics.agent.tool_call_accuracy import ToolCallAccuracy as ToolCallAccuracy
    from ragstone.metrics.agent.tool_call_f1 import ToolCallF1 as ToolCallF1
    from ragstone.metrics.agent.topic_adherence import (
        TopicAdherence as TopicAdherence,
    )
    from ragstone.metrics.answer.answer_accuracy import AnswerAccuracy as AnswerAccuracy
    from ragstone.metrics.answer.answer_correctness import AnswerCorrectness as AnswerCorrectness
    from ragstone.metrics.answer.factual_correctness import FactualCorrectness as FactualCorrectness
    from ragstone.metrics.answer.semantic_similarity import SemanticSimilarity as SemanticSimilarity
    from ragstone.metrics.base import Metric as Metric
    from ragstone.metrics.chat.hallucinated_entities import (
        HallucinatedEntities as HallucinatedEntities,
    )
    from ragstone.metrics.chat.query_context_agreement import (
        QueryContextAgreement as QueryContextAgreement,
    )
    from ragstone.metrics.chat.query_response_agreement import (
        QueryResponseAgreement as QueryResponseAgreement,
    )
    from ragstone.metrics.chat.response_context_agreement import (
        ResponseContextAgreement as ResponseContextAgreement,
    )
    from ragstone.metrics.discrete import discrete_metric as discrete_metric
    from ragstone.metrics.multimodal.multi_modal_faithfulness import (
        MultiModalFaithfulness as MultiModalFaithfulness,
    )
    from ragstone.metrics.multimodal.multi_modal_relevance import (
        MultiModalRelevance as MultiModalRelevance,
    )
    from ragstone.metrics.numeric import numeric_metric as numeric_metric
    from ragstone.metrics.rag.answer_relevancy import AnswerRelevancy as AnswerRelevancy
    from ragstone.metrics.rag.citation_accuracy import CitationAccuracy as CitationAccuracy
    from ragstone.metrics.rag.context_entity_recall import (
        ContextEntityRecall as ContextEntityRecall,
    )
    from ragstone.metrics.rag.context_precision import ContextPrecision as ContextPrecision
    from ragstone.metrics.rag.context_recall import ContextRecall as ContextRecall
    from ragstone.metrics.rag.context_relevance import ContextRelevance as ContextRelevance
    from ragstone.metrics.rag.context_utilization import ContextUtilization as ContextUtilization
    from ragstone.metrics.rag.diagnosis import Diagnosis as Diagnosis
    from ragstone.metrics.rag.faithfulness import Faithfulness as Faithfulness
    from ragstone.metrics.rag.faithfulness_with_hhem import (
        FaithfulnessWithHHEM as FaithfulnessWithHHEM,
    )
    from ragstone.metrics.rag.id_based_context_precision import (
        IDBasedContextPrecision as IDBasedContextPrecision,
    )
    from ragstone.metrics.rag.id_based_context_recall import (
        IDBasedContextRecall as IDBasedContextRecall,
    )
    from ragstone.metrics.rag.noise_sensitivity import NoiseSensitivity as NoiseSensitivity
    from ragstone.metrics.rag.non_llm_context_precision_with_reference import (
        NonLLMContextPrecisionWithReference as NonLLMContextPrecisionWithReference,
    )
    from ragstone.metrics.rag.non_llm_context_recall import (
        NonLLMContextRecall as NonLLMContextRecall,
    )
    from ragstone.metrics.rag.quoted_spans_alignment import (
        QuotedSpansAlignment as QuotedSpansAlignment,
    )
    from ragstone.metrics.rag.response_groundedness import (
        ResponseGroundedness as ResponseGroundedness,
    )
    from ragstone.metrics.ranking import ranking_metric as ranking_metric
    from ragstone.metrics.retrieval.hit_at_k import HitAtK as HitAtK
    from ragstone.metrics.retrieval.map import MAP as MAP
    from ragstone.metrics.retrieval.mrr import MRR as MRR
    from ragstone.metrics.retrieval.ndcg import NDCG as NDCG
    from ragstone.metrics.retrieval.precision_at_k import PrecisionAtK as PrecisionAtK
    from ragstone.metrics.retrieval.recall_at_k import RecallAtK as RecallAtK
    from ragstone.metrics.rubric.aspect_critic import AspectCritic as AspectCritic
    from ragstone.metrics.rubric.aspects import coherence as coherence
    from ragstone.metrics.rubric.aspects import conciseness as conciseness
    from ragstone.metrics.rubric.aspects import correctness as correctness
    from ragstone.metrics.rubric.aspects import harmfulness as harmfulness
    from ragstone.metrics.rubric.aspects import maliciousness as maliciousness
    from ragstone.metrics.rubric.discrete import DiscreteMetric as DiscreteMetric
    from ragstone.metrics.rubric.domain_specific_rubrics import (
        DomainSpecificRubrics as DomainSpecificRubrics,
    )
    from ragstone.metrics.rubric.instance_specific_rubrics import (
        InstanceSpecificRubrics as InstanceSpecificRubrics,
    )
    from ragstone.metrics.rubric.numeric import NumericMetric as NumericMetric
    from ragstone.metrics.rubric.ranking import RankingMetric as RankingMetric
    from ragstone.metrics.rubric.rubrics_score_with_reference import (
        RubricsScoreWithReference as RubricsScoreWithReference,
    )
    from ragstone.metrics.rubric.rubrics_score_without_reference import (
        RubricsScoreWithoutReference as RubricsScoreWithoutReference,
    )
    from ragstone.metrics.rubric.simple_criteria import SimpleCriteria as SimpleCriteria
    from ragstone.metrics.safety.prompt_injection_in_context import (
        PromptInjectionInContext as PromptInjectionInContext,
    )
    from ragstone.metrics.safety.refusal import Refusal as Refusal
    from ragstone.metrics.safety.toxicity import Toxicity as Toxicity
    from ragstone.metrics.sql.data_compy_score import DataCompyScore as DataCompyScore
    from ragstone.metrics.sql.execution_accuracy import ExecutionAccuracy as ExecutionAccuracy
    from ragstone.metrics.sql.sql_semantic_equivalence import (
        SQLSemanticEquivalence as SQLSemanticEquivalence,
    )
    from ragstone.metrics.text.bleu_score import BleuScore as BleuScore
    from ragstone.metrics.text.chrf_score import CHRFScore as CHRFScore
    from ragstone.metrics.text.exact_match import ExactMatch as ExactMatch
    from ragstone.metrics.text.json_validity import JSONValidity as JSONValidity
    from ragstone.metrics.text.non_llm_string_similarity import (
        NonLLMStringSimilarity as NonLLMStringSimilarity,
    )
    from ragstone.metrics.text.rouge_score import RougeScore as RougeScore
    from ragstone.metrics.text.string_presence import StringPresence as StringPresence
    from ragstone.schema.results import MetricResult as MetricResult

__all__ = [
    "MAP",
    "MRR",
    "NDCG",
    "AgentGoalAccuracyWithReference",
    "AgentGoalAccuracyWithoutReference",
    "AnswerAccuracy",
    "AnswerCorrectness",
    "AnswerRelevancy",
    "AspectCritic",
    "BleuScore",
    "CHRFScore",
    "CitationAccuracy",
    "ContextEntityRecall",
    "ContextPrecision",
    "ContextRecall",
    "ContextRelevance",
    "ContextUtilization",
    "ConversationCompleteness",
    "DataCompyScore",
    "Diagnosis",
    "DiscreteMetric",
    "DistanceMeasure",
    "DomainSpecificRubrics",
    "ExactMatch",
    "ExecutionAccuracy",
    "FactualCorrectness",
    "Faithfulness",
    "FaithfulnessWithHHEM",
    "HallucinatedEntities",
    "HitAtK",
    "IDBasedContextPrecision",
    "IDBasedContextRecall",
    "InstanceSpecificRubrics",
    "JSONValidity",
    "KnowledgeRetention",
    "Metric",
    "MetricResult",
    "MultiModalFaithfulness",
    "MultiModalRelevance",
    "NoiseSensitivity",
    "NonLLMContextPrecisionWithReference",
    "NonLLMContextRecall",
    "NonLLMStringSimilarity",
    "NumericMetric",
    "PrecisionAtK",
    "PromptInjectionInContext",
    "QueryContextAgreement",
    "QueryResponseAgreement",
    "QuotedSpansAlignment",
    "RankingMetric",
    "RecallAtK",
    "Refusal",
    "ResponseContextAgreement",
    "ResponseGroundedness",
    "RoleAdherence",
    "RougeScore",
    "RubricsScoreWithReference",
    "RubricsScoreWithoutReference",
    "SQLSemanticEquivalence",
    "SemanticSimilarity",
    "SimpleCriteria",
    "StringPresence",
    "ToolCallAccuracy",
    "ToolCallF1",
    "TopicAdherence",
    "Toxicity",
    "coherence",
    "conciseness",
    "correctness",
    "discrete_metric",
    "harmfulness",
    "maliciousness",
    "numeric_metric",
    "ranking_metric",
]


_BESIDE = {
    "DistanceMeasure": "ragstone.metrics._similarity",
    "Metric": "ragstone.metrics.base",
    "MetricResult": "ragstone.schema.results",
    "achat_suite": "ragstone.metrics.chat.suite",
    "chat_suite": "ragstone.metrics.chat.suite",
    "coherence": "ragstone.metrics.rubric.aspects",
    "conciseness": "ragstone.metrics.rubric.aspects",
    "correctness": "ragstone.metrics.rubric.aspects",
    "discrete_metric": "ragstone.metrics.discrete",
    "harmfulness": "ragstone.metrics.rubric.aspects",
    "maliciousness": "ragstone.metrics.rubric.aspects",
    "numeric_metric": "ragstone.metrics.numeric",
    "ranking_metric": "ragstone.metrics.ranking",
}
"""Public names that are no metric, and where they live."""


def __getattr__(name: str) -> Any:
    if name in _BESIDE:
        return getattr(importlib.import_module(_BESIDE[name]), name)
    catalogue = importlib.import_module("ragstone.metrics.catalogue")
    if name in catalogue.CLASSES or name in catalogue.ALIASES:
        found: type[Metric] = catalogue.load_class(name)
        return found
    raise AttributeError(f"module 'ragstone.metrics' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
