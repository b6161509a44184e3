import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { UserError } from 'virgule';

/** The folder of the songs: Opus audio in .ogg or .opus files. */
const FOLDER = 'songs';

/** Returns the name of a song, as users see it. */
export const nameOf = (file: string): string => basename(file).replace(/\.\w+$/, '');

/** Returns the path of the song that a user named. Other files cannot be reached. */
export async function findSong(name: string): Promise<string> {
  const files = (await readdir(FOLDER)).filter((file) => /\.(ogg|opus)$/.test(file));
  const wanted = name.trim().toLowerCase();
  const file = files.find((each) => nameOf(each).toLowerCase() === wanted);
  if (file) return join(FOLDER, file);
  throw new UserError(`I have no song "${name}", only: ${files.map(nameOf).join(', ')}`);
}
