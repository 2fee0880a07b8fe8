"use strict";
// Sort, search and page the class table. Without this script the whole table
// is there all the same. Only the rows in view are laid out, so 5,000 are fine.
(() => {
  const PAGE = 200;
  const table = document.getElementById("class");
  const body = table.tBodies[0];
  const headers = Array.from(table.tHead.rows[0].cells);
  const search = document.getElementById("search");
  const status = document.getElementById("status");
  const section = document.getElementById("section"); // only with a roster
  const count = document.getElementById("count");
  const more = document.getElementById("more");
  const plain = (text) => text.normalize("NFKC").toLowerCase();
  const rows = Array.from(body.rows, (row) => ({
    row,
    text: plain(row.textContent),
    status: row.dataset.status,
    section: row.dataset.section,
    keys: Array.from(row.cells, (cell) =>
      cell.dataset.v === undefined ? plain(cell.textContent.trim()) : Number(cell.dataset.v)),
  }));
  const collator = new Intl.Collator(undefined, { numeric: true });
  let found = rows;
  let limit = PAGE;

  const show = () => {
    const shown = found.slice(0, limit);
    body.replaceChildren(...shown.map((item) => item.row));
    const left = found.length - shown.length;
    count.textContent =
      `${found.length} of ${rows.length} submissions` + (left ? `, ${shown.length} shown` : "");
    more.hidden = left === 0;
    more.textContent = `Show all ${found.length}`;
  };
  const filter = () => {
    const words = plain(search.value).split(/\s+/).filter(Boolean);
    found = rows.filter((item) =>
      (!status.value || item.status === status.value) &&
      (!section || !section.value || item.section === section.value) &&
      words.every((word) => item.text.includes(word)));
    limit = PAGE;
    show();
  };
  const compare = (a, b) =>
    typeof a === "number" && typeof b === "number" ? a - b : collator.compare(a, b);
  const sort = (column) => {
    const header = headers[column];
    const down = header.getAttribute("aria-sort") === "ascending";
    headers.forEach((other) => other.removeAttribute("aria-sort"));
    header.setAttribute("aria-sort", down ? "descending" : "ascending");
    const sign = down ? -1 : 1;
    rows.sort((a, b) => sign * compare(a.keys[column], b.keys[column]));
    filter();
  };
  headers.forEach((header, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...header.childNodes);
    button.addEventListener("click", () => sort(column));
    header.append(button);
  });
  let waiting = 0;
  search.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(filter, 80);
  });
  status.addEventListener("change", filter);
  if (section) section.addEventListener("change", filter);
  more.addEventListener("click", () => { limit = Infinity; show(); });
  document.getElementById("controls").hidden = false;
  show();
  table.classList.add("ready");
})();
