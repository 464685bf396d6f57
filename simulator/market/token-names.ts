import type { TokenText } from '../programs/token-text.ts';
import type { Random } from '../random/random.ts';

const FIRST = [
  'Moon',
  'Turbo',
  'Baby',
  'Mega',
  'Sad',
  'Based',
  'Quantum',
  'Golden',
  'Tiny',
  'Lazy',
];
const SECOND = ['Frog', 'Cat', 'Pepe', 'Hamster', 'Wizard', 'Goat', 'Penguin', 'Toaster', 'Ape'];

/** A typical token name. */
export function drawTokenText(random: Random): TokenText {
  const [first, second] = [random.pick(FIRST), random.pick(SECOND)];
  const symbol = `${first.slice(0, 3)}${second.slice(0, 4)}`.toUpperCase();
  const uri = `https://metadata.example/${random.uint32().toString(16).padStart(8, '0')}.json`;
  return { name: `${first} ${second}`, symbol, uri };
}
