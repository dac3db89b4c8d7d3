import { hasEveryWord } from './docs-search.ts';

/** Runs before the first paint, so that the theme chosen in the dashboard never flashes the other one. */
export const THEME_SCRIPT = `
try {
  const theme = localStorage.getItem('assay.theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {}
`;

/** The page is complete without this script, which adds search and copy buttons. It never turns text into markup. */
export const DOCS_SCRIPT = `
(() => {
const hasEveryWord = ${hasEveryWord.toString()};
const all = (selector, within = document) => [...within.querySelectorAll(selector)];
const said = document.getElementById('said');
const form = document.getElementById('search');
const field = form.querySelector('input');
const count = document.getElementById('count');

const entries = all('main article[id]').map((article) => ({
  article,
  item: document.querySelector('nav a[href="#' + article.id + '"]').closest('li'),
  isRoute: article.matches('.route'),
  text: all('h3, .summary, .parameters .name', article).map((part) => part.textContent).join(' ') +
    ' ' + article.closest('section').querySelector('h2').textContent,
}));
const groups = all('nav .group, main > section.listed');
const routes = entries.filter(({ isRoute }) => isRoute).length;

function filter() {
  const query = field.value.trim();
  let shown = 0;
  for (const { article, item, isRoute, text } of entries) {
    const isShown = hasEveryWord(text, query);
    article.hidden = item.hidden = !isShown;
    if (isShown && isRoute) shown += 1;
  }
  for (const group of groups) group.hidden = all('li, article', group).every(({ hidden }) => hidden);
  for (const guide of all('main > .guide')) guide.hidden = query !== '';
  count.textContent = query === '' ? routes + ' routes' : shown + ' of ' + routes + ' routes';
}

const links = () => all('nav li a').filter((link) => link.checkVisibility());
function move(event, step) {
  const reachable = [field, ...links()];
  const at = reachable.indexOf(document.activeElement);
  const next = at < 0 ? undefined : reachable[at + step];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}

const singleKeys = () => {
  try {
    return localStorage.getItem('assay.single-keys') !== 'off';
  } catch {
    return true;
  }
};
document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (event.key === 'ArrowDown') move(event, 1);
  if (event.key === 'ArrowUp') move(event, -1);
  if (event.key === '/' && !event.target.closest('input') && singleKeys()) {
    event.preventDefault();
    field.focus();
    field.select();
  }
  if (event.key === 'Escape' && event.target === field) {
    field.value = '';
    filter();
  }
});
field.addEventListener('input', filter);
form.addEventListener('submit', (event) => {
  event.preventDefault();
  const first = entries.find(({ article }) => !article.hidden);
  if (first === undefined) return;
  location.hash = first.article.id;
  first.article.querySelector('h3 a').focus();
});
// A link to a route that the search hides shows everything again.
addEventListener('hashchange', () => {
  const target = document.getElementById(location.hash.slice(1));
  if (target === null || target.closest('[hidden]') === null) return;
  field.value = '';
  filter();
  target.scrollIntoView();
});

// Pages on plain HTTP have no clipboard, but may still copy a selection.
async function copy(code) {
  try {
    await navigator.clipboard.writeText(code.textContent);
    return true;
  } catch {
    getSelection().selectAllChildren(code);
    return document.execCommand('copy');
  }
}
for (const figure of all('figure')) {
  const button = document.createElement('button');
  const caption = figure.querySelector('figcaption');
  const what = caption.dataset.of;
  button.type = 'button';
  button.textContent = 'Copy';
  button.setAttribute('aria-label', 'Copy: ' + what);
  button.addEventListener('click', async () => {
    const isCopied = await copy(figure.querySelector('code'));
    button.textContent = isCopied ? 'Copied' : 'Selected';
    said.textContent = isCopied ? 'Copied: ' + what : 'Press Ctrl C to copy the selected text.';
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 2000);
  });
  caption.append(button);
}
form.hidden = false;
filter();
})();
`;
