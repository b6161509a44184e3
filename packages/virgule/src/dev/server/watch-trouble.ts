/** What it means that files cannot be watched, in one line with what to do about it. */
export function watchTrouble(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOSPC' || code === 'EMFILE')
    return 'The system watches no more files: raise fs.inotify.max_user_watches, or set CHOKIDAR_USEPOLLING=1.';
  const reason = error instanceof Error ? error.message : String(error);
  return `Some files cannot be watched for changes: ${reason}. Set CHOKIDAR_USEPOLLING=1 to look at them instead.`;
}
