import type { ComponentChildren } from 'preact';
import type { Tone } from './badge.tsx';

/** A sentence above a content that people must know; read out by screen readers. */
export function Notice({
  tone = 'neutral',
  onDismiss,
  children,
}: {
  readonly tone?: Tone;
  readonly onDismiss?: () => void;
  readonly children: ComponentChildren;
}) {
  return (
    <div class={`notice tone-${tone}`} role="status">
      <div>{children}</div>
      {onDismiss !== undefined && (
        <button type="button" class="link-button" onClick={onDismiss}>
          Dismiss
        </button>
      )}
    </div>
  );
}
