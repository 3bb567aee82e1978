"""Plain falsehoods that must never pass as supported, and rewordings that must."""

import pytest

from ragstone.local.judge import LocalJudge
from ragstone.prompt.claims import SUPPORT, SupportIn, SupportVerdict
from ragstone.prompt.items import to_items

BREAD = (
    "A sourdough loaf is ready when its core reaches 96 °C. Salt slows fermentation, so bakers add "
    "it late. The starter is fed once a week when it rests in the refrigerator. Rye flour contains "
    "little gluten. Our basic dough has a hydration of 70 %."
)
SHOP = (
    "Customers may return unused goods within 14 days of delivery. Return shipping costs 20 euros. "
    "Refunds are paid to the original card by the Dublin office. Gift cards cannot be returned. "
    "Parcels above 30 kg are shipped by road freight."
)
BUSINESS = (
    "Acme bought Globex in 2015 for 40 million dollars. The founder, Maria Lopez, stayed as chief "
    "engineer until 2019. Initech was sued by Hooli over a patent."
)
CITY = "The Eiffel Tower stands in Paris, France. It was designed by the firm of Gustave Eiffel."
HEALTH = (
    "Adults take two tablets twice a day after meals. The drug lowers blood pressure. It must not "
    "be combined with alcohol. Store the bottle below 25 °C. Children under 12 may not take it."
)
SPACE = (
    "The probe Kestrel 3 left Earth in March 2004 and reached Saturn seven years later. It carries "
    "four cameras and weighs 310 kg. Its antenna was built in Norway. The mission cost 1.2 billion "
    "dollars, and the probe sends data every 6 hours."
)


async def judged(judge: LocalJudge, context: str, claim: str) -> SupportVerdict:
    data = SupportIn(items=to_items([claim]), contexts=[context])
    (verdict,) = (await judge.ask(SUPPORT, data)).verdicts
    return verdict


FALSEHOODS = [
    (CITY, "The Eiffel Tower is in Lyon."),
    (CITY, "The Eiffel Tower stands in London."),
    (CITY, "The Eiffel Tower is in Berlin, Germany."),
    (CITY, "The Eiffel Tower was designed by the firm of Frank Gehry."),
    (SHOP, "Refunds are paid to the original card by the Vienna office."),
    (BUSINESS, "Acme bought Umbrella in 2015."),
    (BUSINESS, "Peter Novak stayed as chief engineer until 2019."),
    (SPACE, "The antenna of the probe was built in Sweden."),
    (SPACE, "The probe reached Jupiter after seven years."),
    (SPACE, "The probe Falcon 9 carries four cameras."),
    (BREAD, "A sourdough loaf is ready when its core reaches 75 °C."),
    (BREAD, "The loaf is ready at a core of 75°C."),
    (BREAD, "The starter is fed once a month in the refrigerator."),
    (BREAD, "The starter is fed twice a week when it rests in the refrigerator."),
    (SHOP, "Customers may return unused goods within 2 days of delivery."),
    (SHOP, "Return shipping costs 30 euros."),
    (SHOP, "Return shipping costs €30."),
    (SPACE, "The probe carries six cameras."),
    (SPACE, "The probe weighs 450 kg."),
    (SPACE, "The probe sends data every 12 hours."),
    (HEALTH, "Adults take two tablets three times a day after meals."),
    (HEALTH, "Adults take four tablets twice a day after meals."),
    (BREAD, "Salt does not slow fermentation."),
    (BREAD, "Rye flour is rich in gluten."),
    (SHOP, "Gift cards can be returned."),
    (HEALTH, "The drug raises blood pressure."),
    (HEALTH, "It may be combined with alcohol."),
    (HEALTH, "Store the bottle above 25 °C."),
    (BUSINESS, "Globex bought Acme in 2015."),
    (BUSINESS, "Acme was bought by Globex."),
    (BUSINESS, "Initech sued Hooli over a patent."),
]

TRUTHS = [
    (CITY, "The Eiffel Tower is in Paris."),
    (CITY, "Paris's Eiffel Tower was designed by Gustave Eiffel's firm."),
    (CITY, "In France stands the Eiffel Tower."),
    (SHOP, "Unused goods may be returned within 14 days."),
    (SHOP, "The cost of return shipping is €20."),
    (SHOP, "Return shipping costs twenty euros."),
    (SHOP, "Gift cards can't be returned."),
    (SHOP, "You have fourteen days after delivery to return unused goods."),
    (SHOP, "Refunds come from the office in Dublin and go to the original card."),
    (SHOP, "Parcels heavier than 30kg are shipped by road freight."),
    (BUSINESS, "Globex was bought by Acme in 2015."),
    (BUSINESS, "In 2015 Acme acquired Globex."),
    (BUSINESS, "Acme paid $40 million for Globex."),
    (BUSINESS, "Hooli sued Initech over a patent."),
    (BUSINESS, "Maria Lopez, the founder, was chief engineer until 2019."),
    (BREAD, "A sourdough loaf is ready when its core temperature is 96°C."),
    (BREAD, "Salt makes fermentation slower."),
    (BREAD, "Rye flour has little gluten."),
    (BREAD, "The starter is fed weekly when it rests in the fridge."),
    (BREAD, "The hydration of the basic dough is 70 percent."),
    (HEALTH, "The drug reduces blood pressure."),
    (HEALTH, "Adults take two tablets two times a day after meals."),
    (HEALTH, "The drug must never be combined with alcohol."),
    (HEALTH, "Children below 12 must not take the drug."),
    (SPACE, "The probe Kestrel 3 carries 4 cameras."),
    (SPACE, "Kestrel 3 left Earth in 2004."),
    (SPACE, "The probe's antenna was built in Norway."),
    (SPACE, "The mission cost $1.2bn."),
    (SPACE, "Data is sent by the probe every six hours."),
]

FRAGMENTS = [
    ("70 %.", "Its hydration is 70 %."),
    ("Paris", "The capital of France is Paris."),
    ("Paris, France.", "It stands in Paris."),
    ("In 1932", "The bridge opened in 1932."),
    ("14 days", "You can return goods within 14 days."),
    ("Maria Lopez", "The founder of the company is Maria Lopez."),
    ("About 280 ships", "The fleet had about 280 ships."),
]
"""A short reference answers a question that nobody shows the judge."""

OTHER_FRAGMENTS = [
    ("70 %.", "Its hydration is 80 %."),
    ("Paris", "The capital of France is Lyon."),
    ("In 1932", "The bridge opened in 1935."),
    ("14 days", "You can return goods within two days."),
    ("Maria Lopez", "The founder of the company is Peter Novak."),
    ("70 %.", "The dough rests in the refrigerator."),
]

UPPER_BOUNDS = [
    ("A row has at most 2000 columns.", "A row never has more than 2000 columns."),
    ("The maximum size of a page is 65536 bytes.", "A page is never larger than 65536 bytes."),
    ("A trip takes no more than 40 minutes.", "A trip takes at most 40 minutes."),
    ("The speed cannot exceed 120 km/h.", "The maximum speed is 120 km/h."),
]


@pytest.mark.parametrize(("context", "claim"), FALSEHOODS + OTHER_FRAGMENTS)
async def test_falsehood_is_not_supported(judge: LocalJudge, context: str, claim: str):
    assert (await judged(judge, context, claim)).verdict != "supported"


@pytest.mark.parametrize(("context", "claim"), TRUTHS + FRAGMENTS)
async def test_truth_is_supported(judge: LocalJudge, context: str, claim: str):
    found = await judged(judge, context, claim)
    assert found.verdict == "supported", found.reason


@pytest.mark.parametrize(("context", "claim"), UPPER_BOUNDS)
async def test_an_upper_bound_is_no_negation(judge: LocalJudge, context: str, claim: str):
    found = await judged(judge, context, claim)
    assert found.verdict == "supported", found.reason


@pytest.mark.parametrize(
    ("context", "claim"),
    [
        (BREAD, "A sourdough loaf is ready when its core reaches 75 °C."),
        (SHOP, "Customers may return unused goods within 2 days of delivery."),
        (SHOP, "Return shipping costs 30 euros."),
        (BREAD, "The starter is fed once a month when it rests in the refrigerator."),
        (SPACE, "The probe weighs 450 kg."),
        (BREAD, "Salt does not slow fermentation."),
        (BREAD, "Rye flour is rich in gluten."),
        (BUSINESS, "Globex bought Acme in 2015."),
        (HEALTH, "The drug raises blood pressure."),
    ],
)
async def test_what_can_be_pointed_at_is_contradicted(judge: LocalJudge, context: str, claim: str):
    assert (await judged(judge, context, claim)).verdict == "contradicted"
