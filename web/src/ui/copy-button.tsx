import { useState } from 'preact/hooks';
import { CheckIcon, CopyIcon } from './icons.tsx';

const SHOWN_MS = 1_500;

/** Copies `text`; `label` says what it is, as "address". */
export function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle');
  const copy = async () => {
    setState(await copyText(text));
    setTimeout(() => setState('idle'), SHOWN_MS);
  };
  return (
    <button
      type="button"
      class="icon-button"
      aria-label={`Copy ${label}`}
      title={state === 'failed' ? 'Copying failed' : `Copy ${label}`}
      onClick={(event) => {
        event.preventDefault();
        event.stopPropagation();
        void copy();
      }}
    >
      {state === 'copied' ? <CheckIcon /> : <CopyIcon />}
      <span class="visually-hidden" aria-live="polite">
        {state === 'idle' ? '' : state}
      </span>
    </button>
  );
}

/** The clipboard is absent without encryption, except on this machine. */
async function copyText(text: string): Promise<'copied' | 'failed'> {
  try {
    await navigator.clipboard.writeText(text);
    return 'copied';
  } catch {
    return 'failed';
  }
}
