import { Marked, type Tokens } from 'marked';
import type { SitePage } from '../site-page.ts';
import { plainText } from './plain-text.ts';

const SUMMARY_MAX = 200;

/** Title and summary of a page from its first heading and its first paragraph. */
export function summarise(markdown: string, name: string): Pick<SitePage, 'title' | 'summary'> {
  const tokens = new Marked({ gfm: true }).lexer(markdown);
  const heading = tokens.find((token): token is Tokens.Heading => token.type === 'heading');
  if (heading?.depth !== 1) throw new Error(`${name} does not begin with a heading of level 1.`);
  const paragraphs = tokens
    .filter((token): token is Tokens.Paragraph => token.type === 'paragraph')
    .map((token) => plainText([token]).replace(/\s+/g, ' ').trim());
  return {
    title: plainText(heading.tokens),
    summary: shorten(paragraphs.find((text) => text !== '') ?? ''),
  };
}

/** Whole sentences as far as they fit, or words and an ellipsis. */
function shorten(text: string): string {
  if (text.length <= SUMMARY_MAX) return text;
  const start = text.slice(0, SUMMARY_MAX);
  const sentences = /^[\s\S]*[.!?:](?=\s)/.exec(start)?.[0];
  return sentences?.replace(/:$/, '.') ?? `${start.slice(0, start.lastIndexOf(' '))}…`;
}
