// The page's only script: it connects to the stream and puts what comes where it belongs,
// and it sends what is pressed on the drawn pads. Everything else works without it.
"use strict";

const SILENT_MS = 12000; // the server beats every 5 s
const LOOK_MS = 2000;

let source = null;
let heardAt = 0;

function connect() {
  const { topics, since } = document.body.dataset;
  if (!topics) return;
  source?.close();
  heardAt = Date.now();
  const asked = new URLSearchParams({ topics, since });
  source = new EventSource(`/events?${asked}`);
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
  if ("text" in patch) element.textContent = patch.text;
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
    Object.assign(document.body.dataset, fresh.body.dataset);
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
}, LOOK_MS);

// A finger counts when it comes down, not when it is lifted; a keyboard has only clicks.
function press(button) {
  const { post, ...fields } = button.dataset;
  fetch(post, { method: "POST", body: new URLSearchParams(fields), keepalive: true }).catch(() => {});
  button.classList.add("pressed");
  setTimeout(() => button.classList.remove("pressed"), 150);
}

document.addEventListener("pointerdown", (event) => {
  const button = event.target.closest("button[data-post]");
  if (!button) return;
  event.preventDefault();
  press(button);
});

document.addEventListener("keydown", (event) => {
  const button = event.target.closest?.("button[data-post]");
  if (!button || event.repeat || (event.key !== " " && event.key !== "Enter")) return;
  event.preventDefault();
  press(button);
});

// The address of the code page may carry the code behind "#": it is never sent or logged.
function fill() {
  const field = document.getElementById("code");
  if (field && /^#\d{6}$/.test(location.hash)) field.value = location.hash.slice(1);
}

document.addEventListener("DOMContentLoaded", () => {
  fill();
  connect();
});
