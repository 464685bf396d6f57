import type { Token, Tokens } from 'marked';

/** The text of tokens without their markup; comments and pictures are left out. */
export function plainText(tokens: readonly Token[]): string {
  return tokens.map(textOf).join('');
}

function textOf(token: Token): string {
  switch (token.type) {
    case 'html':
    case 'image':
      return '';
    case 'space':
    case 'br':
    case 'hr':
      return ' ';
    case 'table': {
      const { header, rows } = token as Tokens.Table;
      return [header, ...rows].map((row) => row.map(cellText).join(' ')).join(' ');
    }
    case 'list':
      return (token as Tokens.List).items.map(({ tokens }) => `${plainText(tokens)} `).join('');
    default: {
      const { tokens, text = '' } = token as { tokens?: Token[]; text?: string };
      return tokens === undefined ? unescaped(text) : plainText(tokens);
    }
  }
}

function cellText({ tokens }: Tokens.TableCell): string {
  return plainText(tokens);
}

/** Tokens of text have entities of Markdown as they were written. */
function unescaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}
