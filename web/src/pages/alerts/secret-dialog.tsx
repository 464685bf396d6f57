import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';

/** Shows the secret of a webhook, which the service shows once. */
export function SecretDialog({
  secret,
  onClose,
}: {
  readonly secret: string;
  readonly onClose: () => void;
}) {
  return (
    <Dialog title="Secret of the webhook" onClose={onClose}>
      <p>
        Copy it now: it is shown this once. Requests to the webhook are signed with it; after a
        rotation the old one is valid beside it for a while.
      </p>
      <p class="url">
        {secret} <CopyButton text={secret} label="secret" />
      </p>
    </Dialog>
  );
}
