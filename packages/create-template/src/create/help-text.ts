export const HELP_TEXT = `Usage: create-virgule [folder] [flags]

Creates a bot in a folder (default: my-bot). In a terminal, it asks for what no flag specifies.

  -t, --template <name>     template to use (see --list-templates)
      --pm <name>           npm, pnpm, yarn or bun (default: the one that runs this command)
  -y, --yes                 use the defaults without asking
      --install             install packages; --no-install skips it
      --no-interactive      ask nothing, as without a terminal
      --dev                 install packages and start the bot; --no-dev does not (default)
      --git                 run "git init" in the new folder; --no-git skips it (default)
      --force=merge         if the folder is not empty: write only files that do not exist yet
      --force=empty         if the folder is not empty: delete its contents first, except .git
      --dry-run             list the files without writing them
      --json                print one line of JSON and nothing else
      --list-templates      list the templates
  -h, --help                show this help
  -v, --version             show the version

Without a terminal, or with CI set, it asks nothing and installs packages only with --install.
`;
