// The page's only script: it connects to the stream and puts what comes where it belongs.
"use strict";

const SILENT_MS = 12000; // the server beats every 5 s
const AGAIN_MS = 2000;

let source = null;
let heardAt = 0;

function connect() {
  const { topics, since } = document.body.dataset;
  if (!topics) return;
  source?.close();
  heardAt = Date.now();
  source = new EventSource(`/events?topics=${encodeURIComponent(topics)}&since=${encodeURIComponent(since)}`);
  source.addEventListener("open", () => show(true));
  source.addEventListener("beat", () => (heardAt = Date.now()));
  source.addEventListener("stale", reload);
  source.addEventListener("patch", (event) => {
    heardAt = Date.now();
    document.body.dataset.since = event.lastEventId;
    for (const patch of JSON.parse(event.data)) apply(patch);
  });
  source.addEventListener("error", () => {
    show(false);
    if (source.readyState === EventSource.CLOSED) heardAt = 0; // refused: try anew
  });
}

function show(connected) {
  document.getElementById("line").hidden = connected;
  document.body.classList.toggle("lost", !connected);
}

function apply(patch) {
  if (patch.reload) return reload();
  const element = document.getElementById(patch.to);
  if (!element) return;
  if ("html" in patch) element.innerHTML = patch.html;
  if ("attr" in patch) element.setAttribute(patch.attr, patch.value);
  if ("mark" in patch) element.classList.add(patch.mark);
  if ("add" in patch) {
    element.insertAdjacentHTML("afterbegin", patch.add);
    while (element.children.length > (patch.keep ?? 50)) element.lastElementChild.remove();
  }
}

// The whole state again: the same page, asked for once more. A form that is being filled in stays.
async function reload() {
  if (document.querySelector("main[data-keep]")) return;
  try {
    const answer = await fetch(location.href, { headers: { accept: "text/html" } });
    if (!answer.ok) return;
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    document.querySelector("main").replaceWith(fresh.querySelector("main"));
    document.body.dataset.since = fresh.body.dataset.since;
    connect();
  } catch {
    heardAt = 0;
  }
}

setInterval(() => {
  if (source && Date.now() - heardAt > SILENT_MS) {
    show(false);
    connect();
  }
}, AGAIN_MS);

document.addEventListener("DOMContentLoaded", connect);
