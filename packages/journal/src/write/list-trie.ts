/** One element of a stored list, reached by the elements before it. */
interface TrieNode {
  readonly text: string;
  /** Number of the stored list that ends here; 0 when none does. */
  body: number;
  next: TrieNode | undefined;
  /** Only where lists part: most nodes have one successor. */
  others: Map<string, TrieNode> | undefined;
}

/** The longest stored list that a list begins with. */
export interface StoredPrefix {
  readonly body: number;
  readonly length: number;
}

/** Finds, by the stored texts of its elements, which list stored earlier a list begins with. */
export class ListTrie {
  readonly #maxNodes: number;
  #root: TrieNode = makeNode("");
  #nodes = 0;
  #chars = 0;

  constructor(maxNodes: number) {
    this.#maxNodes = maxNodes;
  }

  get chars(): number {
    return this.#chars;
  }

  find(elements: readonly string[]): StoredPrefix | undefined {
    let node: TrieNode | undefined = this.#root;
    let body = 0;
    let length = 0;
    for (let index = 0; index < elements.length; index++) {
      node = follow(node, elements[index] ?? "");
      if (node === undefined) break;
      if (node.body === 0) continue;
      body = node.body;
      length = index + 1;
    }
    return body === 0 ? undefined : { body, length };
  }

  add(elements: readonly string[], body: number): void {
    if (elements.length > this.#maxNodes) return;
    if (this.#nodes + elements.length > this.#maxNodes) this.clear();
    let node = this.#root;
    for (const text of elements) {
      node = follow(node, text) ?? this.#grow(node, text);
    }
    node.body = body;
  }

  clear(): void {
    this.#root = makeNode("");
    this.#nodes = 0;
    this.#chars = 0;
  }

  #grow(node: TrieNode, text: string): TrieNode {
    const child = makeNode(text);
    this.#nodes++;
    this.#chars += text.length;
    if (node.next === undefined) {
      node.next = child;
    } else {
      node.others ??= new Map();
      node.others.set(text, child);
    }
    return child;
  }
}

function makeNode(text: string): TrieNode {
  return { text, body: 0, next: undefined, others: undefined };
}

function follow(node: TrieNode, text: string): TrieNode | undefined {
  if (node.next === undefined) return undefined;
  return node.next.text === text ? node.next : node.others?.get(text);
}
