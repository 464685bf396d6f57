import { showText } from '../format/texts.ts';

const COLOURS = 6;

/**
 * The first letter of a token in its colour. Decoration: it is not read out. Lists have it in the
 * place of pictures: each picture is a request, and a list of them uses up the rate limit of a key.
 */
export function TokenLetter({
  address,
  symbol,
}: {
  readonly address: string;
  readonly symbol: string | null;
}) {
  const [letter = '?'] = [...showText(symbol ?? '', 4)];
  return (
    <span class={`token-picture letter colour-${colourOf(address)}`} aria-hidden="true">
      {letter.toUpperCase()}
    </span>
  );
}

/** The same for the same token everywhere. */
function colourOf(address: string): number {
  let sum = 0;
  for (const character of address) sum = (sum * 31 + character.charCodeAt(0)) % 9_973;
  return (sum % COLOURS) + 1;
}
