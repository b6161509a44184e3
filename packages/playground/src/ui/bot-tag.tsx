export function BotTag() {
  return <span class="bot-tag">BOT</span>;
}
