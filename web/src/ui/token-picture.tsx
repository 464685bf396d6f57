import { useState } from 'preact/hooks';
import { showText } from '../format/texts.ts';

/** Pictures are served by the service itself: the page makes no request to other origins. */
const OWN_PATH = /^\/v1\/token\/\w+\/picture\?hash=\w+$/;
/** Sides of the thumbnails that the service has, in pixels. */
const SIDES = [64, 128, 256] as const;
/** Pixels of a screen with a high density for each one of the page. */
const DENSITY = 2;
const COLOURS = 6;

/**
 * The thumbnail of a token, loaded when it comes into sight, or the first letter of the token in its
 * colour where there is none. Both have the same size. Decoration: it is not read out.
 */
export function TokenPicture({
  url,
  address,
  symbol,
  sizePx = 22,
}: {
  /** `picture_url` of the API. */
  readonly url: string | null;
  readonly address: string;
  readonly symbol: string | null;
  readonly sizePx?: number;
}) {
  const [failedUrl, setFailedUrl] = useState<string | null>(null);
  const style = { width: `${sizePx}px`, height: `${sizePx}px`, fontSize: `${sizePx / 2}px` };
  if (url !== null && url !== failedUrl && OWN_PATH.test(url)) {
    return (
      <img
        class="token-picture"
        src={`${url}&size=${sideFor(sizePx)}`}
        alt=""
        width={sizePx}
        height={sizePx}
        style={style}
        loading="lazy"
        decoding="async"
        onError={() => setFailedUrl(url)}
      />
    );
  }
  const [letter = '?'] = [...showText(symbol ?? '', 4)];
  return (
    <span
      class={`token-picture letter colour-${colourOf(address)}`}
      style={style}
      aria-hidden="true"
    >
      {letter.toUpperCase()}
    </span>
  );
}

/** The smallest thumbnail that is sharp in a size. */
function sideFor(sizePx: number): number {
  return SIDES.find((side) => side >= sizePx * DENSITY) ?? 256;
}

/** The same for the same token everywhere. */
function colourOf(address: string): number {
  let sum = 0;
  for (const character of address) sum = (sum * 31 + character.charCodeAt(0)) % 9_973;
  return (sum % COLOURS) + 1;
}
