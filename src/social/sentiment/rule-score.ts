/**
 * The mood of a post by rules and lexicon only, after VADER (Hutto and Gilbert 2014): valences are
 * reversed by negations within three words, and strengthened or weakened by the word before, by
 * capitals and by exclamation marks; text after "but" counts more than text before it.
 */
import { phraseAt } from './phrases.ts';
import type { PostWords } from './read-words.ts';

/** VADER's constants: the factor of a negation, the increase by capitals, by exclamation marks. */
const NEGATION_FACTOR = -0.74;
const SHOUTED_INCREASE = 0.733;
const EXCLAMATION_INCREASE = 0.292;
const EXCLAMATIONS_MAX = 4;
const NORMALISATION = 15;
const NEGATION_WINDOW = 3;
const BEFORE_BUT = 0.5;
const AFTER_BUT = 1.5;

/** −1 to 1: x/√(x² + 15) of the sum of valences; 0 when no word is known. */
export function ruleScore(post: PostWords): number {
  const sum = sumOfValences(post);
  if (sum === 0) return 0;
  const emphasis = EXCLAMATION_INCREASE * Math.min(exclamationsOf(post), EXCLAMATIONS_MAX);
  const x = sum + Math.sign(sum) * emphasis;
  return x / Math.sqrt(x * x + NORMALISATION);
}

function sumOfValences(post: PostWords): number {
  const { words, known } = post;
  const but = words.lastIndexOf('but');
  let sum = 0;
  let phraseEnd = 0;
  for (let at = 0; at < words.length; at++) {
    const entry = known[at];
    if (entry === undefined || at < phraseEnd) continue;
    const phrase = phraseAt(words, at, entry.phrases);
    if (phrase !== null) phraseEnd = at + phrase.words.length;
    const own = phrase?.valence ?? entry.valence;
    if (own === 0) continue;
    const valence = valenceAt(post, own, at);
    sum += but < 0 ? valence : valence * (at < but ? BEFORE_BUT : AFTER_BUT);
  }
  return sum;
}

function exclamationsOf({ words }: PostWords): number {
  let count = 0;
  for (const word of words) if (word.startsWith('!')) count += word.length;
  return count;
}

function valenceAt(post: PostWords, own: number, at: number): number {
  const intensity = post.known[at - 1]?.intensity ?? 0;
  const shout =
    post.isMixedCase && post.shouted[at] === true ? Math.sign(own) * SHOUTED_INCREASE : 0;
  const strength = (own + shout) * (1 + intensity);
  return isNegated(post, at) ? strength * NEGATION_FACTOR : strength;
}

/** Whether a negation is among the three words before. */
export function isNegated({ known }: PostWords, at: number): boolean {
  for (let back = 1; back <= NEGATION_WINDOW && back <= at; back++) {
    if (known[at - back]?.isNegation === true) return true;
  }
  return false;
}
