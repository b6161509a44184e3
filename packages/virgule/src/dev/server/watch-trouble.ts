import { errorCode, errorText } from '@virgule/core/errors';

/** Explains why files cannot be watched, in one line with the fix. */
export function watchTrouble(error: unknown): string {
  const code = errorCode(error);
  if (code === 'ENOSPC' || code === 'EMFILE')
    return 'The limit of watched files is reached: raise fs.inotify.max_user_watches, or set CHOKIDAR_USEPOLLING=1.';
  return `Some files cannot be watched for changes: ${errorText(error)}. Set CHOKIDAR_USEPOLLING=1 to poll them instead.`;
}
