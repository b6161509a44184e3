// commands/hello.js -> /hello
// The simplest form: a file that exports a description and a function.
export const description = 'Say hello';

export default () => 'Hello! 👋';
