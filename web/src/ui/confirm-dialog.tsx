import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from './controls.tsx';
import { Dialog } from './dialog.tsx';
import { Notice } from './notice.tsx';

/** Asks before what cannot be undone. `act` returns why it failed, or null. */
export function ConfirmDialog({
  title,
  action,
  act,
  onClose,
  children,
}: {
  readonly title: string;
  /** Text of the button. */
  readonly action: string;
  readonly act: () => Promise<string | null>;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}) {
  const [error, setError] = useState<string | null>(null);
  const [isActing, setActing] = useState(false);
  const confirm = async () => {
    setActing(true);
    const failure = await act();
    setActing(false);
    setError(failure);
    if (failure === null) onClose();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{children}</p>
      {error !== null && <Notice tone="bad">{error}</Notice>}
      <p class="form-actions">
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="danger" isDisabled={isActing} onClick={() => void confirm()}>
          {action}
        </Button>
      </p>
    </Dialog>
  );
}
