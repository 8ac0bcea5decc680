/** `node main.ts langgraph|ai-sdk|escapement THREAD MESSAGE` starts or continues a thread; `… THREAD --answer approved` answers its question. */
const [, , peer = '', thread = '', ...words] = process.argv
const { converse } = await import(`./${peer}.ts`)
const said = words[0] === '--answer' ? ['', words[1]] : [words.join(' ')]
for await (const text of converse(thread, ...said)) process.stdout.write(text)
process.stdout.write('\n')
