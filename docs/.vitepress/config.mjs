import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { renderMermaidSVG } from 'beautiful-mermaid';
import { defineConfig } from 'vitepress';

/** Pages link across the repository, so its root is the source folder. */
const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '../..');

export default defineConfig({
  title: 'Zonewright',
  description: 'DNS management API for teams',
  lang: 'en-US',
  srcDir: root,
  srcExclude: ['node_modules/**', '{dist,data,coverage,packaging,.cache,.ci}/**', 'examples/plugins/*/node_modules/**'],
  outDir: path.join(root, 'dist/site'),
  cacheDir: path.join(root, '.cache/vitepress'),
  rewrites: toSitePath,
  cleanUrls: false,
  lastUpdated: false,
  appearance: true,
  // Braces are values of messages here, not attributes.
  markdown: { config: extendMarkdown, attrs: { disable: true } },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'First steps', link: '/first-steps' },
      { text: 'All pages', link: '/pages' },
      { text: 'Rules', link: '/spec/behaviour' },
      { text: 'Changes', link: '/CHANGELOG' },
    ],
    sidebar: sidebar(),
  },
});

/** README.md is the front page, docs/README.md the list of pages, and docs/ is not part of an address. */
function toSitePath(page) {
  if (page === 'README.md') return 'index.md';
  if (page === 'docs/README.md') return 'pages.md';
  return page.replace(/^docs\//, '').replace(/(^|\/)README\.md$/, '$1index.md');
}

/** The sections and tables of docs/README.md. */
function sidebar() {
  const sections = readFileSync(path.join(root, 'docs/README.md'), 'utf8').split(/^## /m).slice(1);
  return sections.map((section) => ({
    text: section.slice(0, section.indexOf('\n')),
    collapsed: false,
    items: [...section.matchAll(/^\| .*?\|/gm)].flatMap(([cell]) =>
      [...cell.matchAll(/\[([^\]]+)\]\(([^)]+\.md)\)/g)].map(([, , target]) => {
        const page = path.posix.join('docs', target);
        return { text: titleOf(page), link: `/${toSitePath(page).replace(/(?:index)?\.md$/, '')}` };
      }),
    ),
  }));
}

function titleOf(page) {
  const heading = /^# (.*)$/m.exec(readFileSync(path.join(root, page), 'utf8'))?.[1] ?? page;
  return heading.replaceAll('`', '');
}

function extendMarkdown(md) {
  const fence = md.renderer.rules.fence;
  md.renderer.rules.fence = (tokens, at, ...rest) => {
    const { info, content } = tokens[at];
    return info.trim() === 'mermaid' ? diagram(content) : fence(tokens, at, ...rest);
  };
  md.core.ruler.after('inline', 'repository-links', (state) => {
    for (const token of state.tokens)
      if (token.children) fixLinks(token.children, path.dirname(state.env.realPath ?? state.env.path));
  });
}

const EMPTY_TEXT = { type: 'text', tag: '', nesting: 0, attrs: null, content: '' };

/** Links to folders lead to their README.md; links to other files of the repository, which the site lacks, become text. */
function fixLinks(tokens, folder) {
  let isText = false;
  for (const token of tokens) {
    if (token.type === 'link_open') {
      const target = token.attrGet('href');
      if (/^[a-z]+:|^#|^\//.test(target)) continue;
      const [file, anchor] = target.split('#');
      const place = path.join(folder, decodeURI(file));
      const isFolder = existsSync(place) && statSync(place).isDirectory();
      const linked = isFolder ? path.join(place, 'README.md') : place;
      if (linked.endsWith('.md') && existsSync(linked)) {
        const site = toSitePath(path.relative(root, linked)).replace(/\.md$/, '.html');
        token.attrSet('href', `/${site}${anchor === undefined ? '' : `#${anchor}`}`);
        continue;
      }
      isText = true;
      Object.assign(token, EMPTY_TEXT);
    } else if (token.type === 'link_close' && isText) {
      isText = false;
      Object.assign(token, EMPTY_TEXT);
    }
  }
}

/** Vue loses the last element of an inline SVG when it hydrates static content, so the SVG is the value of `v-html`. */
function diagram(text) {
  // The site asks no other host for anything, so not for this font either.
  const svg = JSON.stringify(renderMermaidSVG(text, COLORS).replace(/@import url\([^)]*\);?/g, ''));
  return `<figure style="overflow-x: auto" v-html="${svg.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"></figure>`;
}

/** Variables of the theme, which has a light and a dark form. */
const COLORS = {
  bg: 'var(--vp-c-bg)',
  fg: 'var(--vp-c-text-1)',
  line: 'var(--vp-c-text-3)',
  muted: 'var(--vp-c-text-2)',
  transparent: true,
};
