import type { Composer } from '../app/composer.js';
import type { ComposerFile } from '../app/composer-files.js';
import { formatBytes } from '../state/format.js';
import { nameFiles } from '../state/name-files.js';
import { Icon } from './icon.js';
import { IconButton, TextButton } from './controls.js';

interface TrayFileProps {
  readonly composer: Composer;
  readonly file: ComposerFile;
}

function TrayFile({ composer, file }: TrayFileProps) {
  const { id, name, source, upload, problem } = file;
  const isUploading = upload === null && problem === null;
  return (
    <li class={problem === null ? 'attachment' : 'attachment attachment-failed'}>
      <Icon name={problem === null ? 'file' : 'alert'} />
      <span class="attachment-name" title={name}>
        <bdi>{name}</bdi>
      </span>
      <span class="attachment-size">
        {isUploading ? 'uploading…' : (problem ?? formatBytes(source.size))}
      </span>
      {problem !== null && (
        <TextButton onClick={() => composer.files.retry(id)}>Try again</TextButton>
      )}
      <IconButton
        icon="close"
        label={`Remove ${name}`}
        title="Remove"
        onClick={() => {
          composer.files.remove(id);
          document.getElementById('composer')?.focus();
        }}
      />
    </li>
  );
}

/** Shows the files that are sent with the text, and why others are not. */
export function FileTray({ composer }: { readonly composer: Composer }) {
  const files = composer.files.list.value;
  const refusal = composer.files.refusal.value;
  const unused = composer.unusedFiles.value.map(({ name }) => name);
  if (files.length === 0 && refusal === null) return null;
  return (
    <div class="tray">
      {files.length > 0 && (
        <ul class="attachments" aria-label="Files to send">
          {files.map((file) => (
            <TrayFile key={file.id} composer={composer} file={file} />
          ))}
        </ul>
      )}
      {unused.length > 0 && (
        <p class="tray-note">
          Not sent with this command: {nameFiles(unused)}. A command takes a file as the value of an
          option.
        </p>
      )}
      {refusal !== null && (
        <p class="tray-note tray-refusal">
          <Icon name="alert" />
          {refusal}
        </p>
      )}
    </div>
  );
}
