import { showText } from '../format/texts.ts';

/**
 * Text of the chain or the web, as a text node in its own direction. Characters that cannot be seen
 * are shown as U+FFFD, and it is at most `lengthMax` characters long. `fallback` is shown for empty
 * and missing text.
 */
export function ChainText({
  text,
  lengthMax = 64,
  fallback = '–',
}: {
  readonly text: string | null | undefined;
  readonly lengthMax?: number;
  readonly fallback?: string;
}) {
  const shown = showText(text ?? '', lengthMax);
  return (
    <bdi class="chain-text" dir="auto">
      {shown === '' ? fallback : shown}
    </bdi>
  );
}
