/** A place in a list. */
export interface ListNode<Value> {
  readonly value: Value;
  list: LinkedList<Value> | undefined;
  before: ListNode<Value> | undefined;
  after: ListNode<Value> | undefined;
}

/** First in, first out, and out from anywhere at no cost: what is removed leaves no hole. */
export class LinkedList<Value> {
  #first: ListNode<Value> | undefined;
  #last: ListNode<Value> | undefined;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get first(): Value | undefined {
    return this.#first?.value;
  }

  push(value: Value): ListNode<Value> {
    const node = { value, list: this, before: this.#last, after: undefined };
    if (this.#last) this.#last.after = node;
    else this.#first = node;
    this.#last = node;
    this.#size += 1;
    return node;
  }

  unshift(value: Value): ListNode<Value> {
    const node = { value, list: this, before: undefined, after: this.#first };
    if (this.#first) this.#first.before = node;
    else this.#last = node;
    this.#first = node;
    this.#size += 1;
    return node;
  }

  shift(): Value | undefined {
    const node = this.#first;
    if (node) this.remove(node);
    return node?.value;
  }

  /** Takes a node out; one that is not in this list (any more) is left alone. */
  remove(node: ListNode<Value>): void {
    if (node.list !== this) return;
    if (node.before) node.before.after = node.after;
    else this.#first = node.after;
    if (node.after) node.after.before = node.before;
    else this.#last = node.before;
    node.list = undefined;
    node.before = undefined;
    node.after = undefined;
    this.#size -= 1;
  }
}
