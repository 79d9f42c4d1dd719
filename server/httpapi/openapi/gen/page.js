"use strict";
// Search: shows the links of the contents that contain every word.
const search = document.getElementById("search");
const none = document.getElementById("no-match");
search.parentElement.hidden = false;
search.addEventListener("input", () => {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  let found = 0;
  for (const list of document.querySelectorAll("nav details")) {
    let shown = 0;
    for (const item of list.querySelectorAll("li")) {
      const link = item.firstElementChild;
      const text = (item.textContent + " " + link.hash + " " + list.firstElementChild.textContent).toLowerCase();
      item.hidden = !words.every((word) => text.includes(word));
      if (!item.hidden) shown++;
    }
    list.hidden = shown === 0;
    list.open = words.length > 0;
    found += shown;
  }
  none.hidden = found > 0;
});
document.addEventListener("keydown", (event) => {
  if (event.key === "/" && document.activeElement !== search) {
    event.preventDefault();
    search.focus();
  }
});

// Copy: a button on each block of code.
for (const block of document.querySelectorAll("pre")) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(block.querySelector("code").textContent);
      button.textContent = "Copied";
    } catch {
      button.textContent = "Cannot copy";
    }
    setTimeout(() => { button.textContent = "Copy"; }, 2000);
  });
  block.append(button);
}
