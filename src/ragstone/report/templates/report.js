"use strict";
const ENTITIES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;" };
document.documentElement.classList.add("js");
document.addEventListener("DOMContentLoaded", () => {
  const list = document.getElementById("rows");
  const form = document.querySelector(".controls");
  if (!list || !form) return;
  const heads = [...document.querySelectorAll(".head button")];
  const falling = heads.map((head) => head.dataset.better === "lower");
  const rows = [...list.children].map((element, index) => ({
    element,
    index,
    worst: element.dataset.w === "" ? null : Number(element.dataset.w),
    cells: [...element.querySelectorAll("summary > .s")].map(readCell),
    text: null,
  }));

  // With scripts on, a noscript element holds its markup as text, so that thousands of rows cost
  // the browser little. It is parsed when its row opens; the text of the run is escaped in it.
  function fill(row) {
    const asleep = row.querySelector(":scope > .body > noscript");
    if (asleep) asleep.parentElement.innerHTML = asleep.textContent;
  }

  // The text of a row as it is written in HTML, so that nothing need be decoded to search it.
  function searchable(row) {
    const asleep = row.querySelector(":scope > .body > noscript");
    const texts = asleep
      ? asleep.textContent.split('<div class="results">', 1)[0].replace(/<[^>]+>/g, "")
      : escaped(row.querySelector(".texts").textContent);
    return texts.toLowerCase();
  }

  function escaped(text) {
    return text.replace(/[&<>"']/g, (sign) => ENTITIES[sign]);
  }

  function readCell(cell) {
    const state = cell.classList[1];
    if (state !== "scored") return { state, value: null };
    const number = Number(cell.dataset.v);
    return { state, value: cell.dataset.v === "" || Number.isNaN(number) ? cell.dataset.v : number };
  }

  function compare(a, b) {
    if (typeof a === "number" && typeof b === "number") return a - b;
    return String(a).localeCompare(String(b));
  }

  // "row", "worst", or the number of a metric; rows without a value come last either way
  function sort(key, down) {
    const value = (row) => (key === "worst" ? row.worst : row.cells[key].value);
    const ordered = [...rows];
    if (key !== "row") {
      ordered.sort((x, y) => {
        const a = value(x), b = value(y);
        if (a === null || b === null) return (a === null) - (b === null) || x.index - y.index;
        return (down ? compare(b, a) : compare(a, b)) || x.index - y.index;
      });
    }
    list.append(...ordered.map((row) => row.element));
    heads.forEach((head, index) => {
      if (String(index) === String(key)) head.dataset.on = down ? "▼" : "▲";
      else delete head.dataset.on;
    });
  }

  function sortBy(choice) {
    const [key, down] = choice.split(" ");
    sort(key === "row" || key === "worst" ? key : Number(key), down === "down");
  }

  function worse(cell, metric, limit) {
    if (typeof cell.value !== "number") return false;
    return falling[metric] ? cell.value > limit : cell.value < limit;
  }

  function matches(row, words, metric, state, limit) {
    if (words.length) {
      row.text ??= searchable(row.element);
      if (!words.every((word) => row.text.includes(word))) return false;
    }
    if (!state || (state === "worse" && Number.isNaN(limit))) return true;
    return row.cells.some((cell, index) => {
      if (metric !== "" && index !== Number(metric)) return false;
      return state === "worse" ? worse(cell, index, limit) : cell.state === state;
    });
  }

  function filter() {
    const { q, metric, state, limit } = form.elements;
    limit.parentElement.hidden = state.value !== "worse";
    const words = escaped(q.value).toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const row of rows) {
      const fits = matches(row, words, metric.value, state.value, limit.valueAsNumber);
      row.element.hidden = !fits;
      shown += fits;
    }
    const all = rows.length.toLocaleString("en");
    document.getElementById("count").textContent =
      shown === rows.length ? `${all} rows` : `${shown.toLocaleString("en")} of ${all} rows`;
    document.getElementById("none").hidden = shown > 0;
  }

  let waiting = 0;
  form.addEventListener("input", (event) => {
    if (event.target.name === "sort") return sortBy(event.target.value);
    clearTimeout(waiting);
    waiting = setTimeout(filter, event.target.name === "q" ? 120 : 0);
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(() => { filter(); sortBy("row"); }, 0));
  heads.forEach((head, index) => head.addEventListener("click", () => {
    const first = falling[index] ? "▼" : "▲"; // the worst first, then the best
    const down = (head.dataset.on ? head.dataset.on !== first : true) === falling[index];
    sort(index, down);
    form.elements.sort.value = `${index} ${down ? "down" : "up"}`;
  }));

  function light(event, on) {
    const item = event.target.closest(".evs li");
    if (!item) return;
    const tag = item.dataset.k;
    for (const mark of item.closest(".body").querySelectorAll(`mark[data-k~="${tag}"]`)) {
      mark.classList.toggle("lit", on);
    }
  }
  list.addEventListener("mouseover", (event) => light(event, true));
  list.addEventListener("mouseout", (event) => light(event, false));

  list.addEventListener("click", (event) => {
    const summary = event.target.closest(".row > summary");
    if (summary) fill(summary.parentElement);
  }, true);
  list.addEventListener("toggle", (event) => {
    if (event.target.classList.contains("row")) fill(event.target);
  }, true);

  function reveal() {
    const number = /^#r(?:ow-)?(\d+)/.exec(location.hash);
    const row = number && document.getElementById(`row-${number[1]}`);
    if (row) fill(row);
    const part = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
    if (!part) return;
    for (let up = part; up; up = up.parentElement) if (up.tagName === "DETAILS") up.open = true;
    part.scrollIntoView({ block: "nearest" });
  }
  addEventListener("hashchange", reveal);
  filter();
  sortBy(form.elements.sort.value); // a browser may restore the form after a reload
  reveal();
});
