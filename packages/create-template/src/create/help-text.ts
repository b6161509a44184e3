export const HELP_TEXT = `Usage: create-virgule [folder] [flags]

Scaffolds a bot. Without a folder: my-bot. In a terminal, what no flag says is asked.

  -t, --template <name>     which template (see --list-templates)
      --pm <name>           npm, pnpm, yarn or bun; default: the one that runs this
  -y, --yes                 ask nothing, take the defaults
      --install             install packages; --no-install leaves it to you
      --git                 run "git init" in the new folder; --no-git does not (default)
      --force=merge         folder not empty: write only the files that do not exist yet
      --force=empty         folder not empty: delete what it holds first, .git excepted
      --dry-run             say which files would be written, write none
      --json                print one line of JSON and nothing else
      --list-templates      print the templates
  -h, --help                print this
  -v, --version             print the version

Outside a terminal, and with CI set, nothing is asked and nothing is installed unless --install is given.
`;
