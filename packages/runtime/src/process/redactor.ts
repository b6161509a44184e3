/** Takes texts out of a text. */
export type Redact = (text: string) => string;

/** Shorter passwords in addresses would take too much out of the log. */
const PASSWORD_MIN_LENGTH = 4;
const CENSOR = '[redacted]';

/**
 * Takes secrets out of texts, also as they stand in JSON and in addresses. Of a secret that is an
 * address with a password, the password alone is one too.
 */
export function createRedactor(secrets: readonly string[]): Redact {
  const forms = new Set<string>();
  for (const secret of secrets.flatMap((text) => [text, ...passwordOf(text)])) {
    for (const form of [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)])
      if (form !== '') forms.add(form);
  }
  if (forms.size === 0) return (text) => text;
  // The longest first: a secret may hold another one.
  const alternatives = [...forms].sort((a, b) => b.length - a.length).map(escapePattern);
  const pattern = new RegExp(alternatives.join('|'), 'g');
  return (text) => text.replace(pattern, CENSOR);
}

function passwordOf(text: string): string[] {
  if (!URL.canParse(text)) return [];
  const { password } = new URL(text);
  return password.length < PASSWORD_MIN_LENGTH ? [] : [password, decode(password)];
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const escapePattern = (text: string): string =>
  text.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
