/** A word of one case is rarely cut into shorter pieces than this. */
const WORD_CHARACTERS = 3;
/** Tokens of digits have one to three of them. */
const DIGIT_CHARACTERS = 2;
/** Addresses and signatures have no words: their tokens are short. */
const MIXED_CHARACTERS = 1.3;

/**
 * An upper estimate of the tokens of a text for a language model, without its tokenizer: addresses
 * and signatures, of which answers are full, take four times as many tokens as prose of the same
 * length. Decision 0085 compares it with two tokenizers.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (const [run] of text.matchAll(RUN)) tokens += tokensOf(run);
  return tokens;
}

/** Letters and digits; a sign; anything beyond ASCII. Spaces belong to the word after them. */
const RUN = /[A-Za-z0-9]+|[!-/:-@[-`{-~\n]|[^\0-\x7f]+/g;

function tokensOf(run: string): number {
  if (/^[A-Z]?[a-z]+$/.test(run)) return Math.ceil(run.length / WORD_CHARACTERS);
  if (/^[0-9]+$/.test(run)) return Math.ceil(run.length / DIGIT_CHARACTERS);
  if (/^[A-Za-z0-9]+$/.test(run)) return Math.ceil(run.length / MIXED_CHARACTERS);
  // No tokenizer of bytes takes more tokens than bytes.
  return Buffer.byteLength(run);
}
