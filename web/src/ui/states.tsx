import type { ComponentChildren } from 'preact';
import type { Failure } from '../api/client.ts';

/** Nothing to show, and why: "No trades in this hour." */
export function Empty({ children }: { readonly children: ComponentChildren }) {
  return <p class="state empty">{children}</p>;
}

/** Too few observations to say anything. */
export function TooFew({ count, needed }: { readonly count: number; readonly needed: number }) {
  return (
    <p class="state too-few">
      Too few to say: {count} of the {needed} needed.
    </p>
  );
}

const ROWS = [0, 1, 2, 3, 4, 5, 6, 7] as const;

/** Grey lines in the place of what is being read. */
export function Loading({
  rows = 4,
  label = 'Loading',
}: {
  readonly rows?: number;
  readonly label?: string;
}) {
  return (
    <div class="state loading" role="status">
      <span class="visually-hidden">{label}</span>
      {ROWS.slice(0, rows).map((row) => (
        <span key={row} class="skeleton" aria-hidden="true" />
      ))}
    </div>
  );
}

/** A failed read with its reason, and a button that reads again. */
export function Failed({
  failure,
  onRetry,
}: {
  readonly failure: Failure;
  readonly onRetry?: () => void;
}) {
  return (
    <div class="state failed" role="alert">
      <p>
        {failure.error === 404 ? failure.message : `This could not be read. ${failure.message}`}
      </p>
      {onRetry !== undefined && failure.error !== 404 && (
        <button type="button" class="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  );
}
