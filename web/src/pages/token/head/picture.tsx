/** Reads the address of a token's picture from an answer; null if there is none. */
export function pictureOf(answer: object): string | null {
  const url = 'picture_url' in answer ? answer.picture_url : null;
  // The service's own copy: pictures are never read from the address in the metadata.
  return typeof url === 'string' && /^\/v1\//.test(url) ? url : null;
}

/** The picture of a token, or two letters in its place. */
export function Picture({
  url,
  symbol,
  sizePx = 56,
}: {
  readonly url: string | null;
  readonly symbol: string | null;
  readonly sizePx?: number;
}) {
  const size = { width: `${sizePx}px`, height: `${sizePx}px` };
  if (url !== null) return <img class="token-picture" src={url} alt="" style={size} />;
  const letters = [...(symbol ?? '').replace(/[^\p{L}\p{N}]/gu, '')].slice(0, 2).join('');
  return (
    <span class="token-picture placeholder" style={size} aria-hidden="true">
      {letters === '' ? '?' : letters.toUpperCase()}
    </span>
  );
}
