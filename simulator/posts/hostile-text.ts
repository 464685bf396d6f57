import type { Random } from '../random/random.ts';

const LONG_CHARS = 10_240;
const MARKS = '\u0300\u0316\u0334\u0352';

/** Ways to break a parser, by name. Each preserves the words of the text. */
export const HOSTILE_FORMS: Readonly<Record<string, (text: string) => string>> = {
  markup: (text) => `<script>alert(1)</script> ${text}`,
  image: (text) => `${text} <img src=x onerror=alert(1)>`,
  rightToLeft: (text) => `\u202e\u2067${text} \u200f\u061c`,
  nul: (text) => `${text} \u0000\u0000`,
  nulLike: (text) => `${text} \\u0000 %00 &#0; \u2400`,
  marks: (text) => `${text} ${`x${MARKS.repeat(40)}`.repeat(5)}`,
  loneSurrogate: (text) => `${text} \ud83d`,
  newRecord: (text) => `${text}\n{"kind":"delete","platform":"x","postId":"1","deletedAtMs":0}`,
  lineSeparator: (text) => `${text}\u2028\u2029\r\n\t\u0085`,
  sql: (text) => `'; DROP TABLE posts; -- ${text}`,
  formula: (text) => `=HYPERLINK("http://127.0.0.1/","${text}")`,
  long: (text) => `${text} ${'spam '.repeat(LONG_CHARS / 5)}`.slice(0, LONG_CHARS),
  prototype: (text) => `__proto__ constructor ${text} \${7*7} {{7*7}}`,
};

const FORMS = Object.values(HOSTILE_FORMS);

/** The text in one of the hostile forms. */
export function makeHostile(random: Random, text: string): string {
  return random.pick(FORMS)(text);
}
