import { CopyButton } from '../../ui/copy-button.tsx';

/** A command to run elsewhere, with a button that copies it. */
export function Command({ text }: { readonly text: string }) {
  return (
    <div class="command">
      <pre>{text}</pre>
      <CopyButton text={text} label="command" />
    </div>
  );
}
