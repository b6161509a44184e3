/** Form of the messages that run the commands with the setting `messages`. */
export interface MessageCommands {
  /** Text before the name of a command. @defaultValue `'!'` */
  readonly prefix?: string | undefined;
  /** `true` if a mention of the bot works like the prefix: `@bot roll 20`. @defaultValue `true` */
  readonly mention?: boolean | undefined;
  /** Ids of users whose messages run no command, such as other bots. @defaultValue none */
  readonly ignore?: readonly string[] | undefined;
}

export function resolveMessageCommands(given: MessageCommands = {}) {
  const { prefix = '!', mention = true, ignore = [] } = given;
  return { prefix, mention, ignore } satisfies MessageCommands;
}
