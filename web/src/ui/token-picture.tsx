import { useState } from 'preact/hooks';
import { showText } from '../format/texts.ts';

/** Pictures are served by the service itself: the page makes no request to other origins. */
const OWN_PATH = /^\/v1\/[\w/?=.-]+$/;
const COLOURS = 6;

/** The thumbnail of a token, or its first letter where there is none. Decoration: it is not read out. */
export function TokenPicture({
  url,
  address,
  symbol,
}: {
  /** `picture_url` of the API, which it leaves out or null without a picture. */
  readonly url: string | null | undefined;
  readonly address: string;
  readonly symbol: string | null;
}) {
  const [hasFailed, setFailed] = useState(false);
  if (typeof url === 'string' && OWN_PATH.test(url) && !hasFailed) {
    return (
      <img
        class="token-picture"
        src={url}
        alt=""
        width="22"
        height="22"
        loading="lazy"
        decoding="async"
        onError={() => setFailed(true)}
      />
    );
  }
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
