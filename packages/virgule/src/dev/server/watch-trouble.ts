/** Explains why files cannot be watched, in one line with the fix. */
export function watchTrouble(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOSPC' || code === 'EMFILE')
    return 'The limit of watched files is reached: raise fs.inotify.max_user_watches, or set CHOKIDAR_USEPOLLING=1.';
  const reason = error instanceof Error ? error.message : String(error);
  return `Some files cannot be watched for changes: ${reason}. Set CHOKIDAR_USEPOLLING=1 to poll them instead.`;
}
